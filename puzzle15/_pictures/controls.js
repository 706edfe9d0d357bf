// Goes through steps by buttons, a slider and keys, or plays them; `show(step)` shows one.
// While it plays, `status` is silent for screen readers, because it could not follow.
function control(root, status, delay, show) {
  const find = (name) => root.querySelector(`.p15-${name}`);
  const [slider, play] = [find("slider"), find("play")];
  const last = Number(slider.max);
  let timer = 0;

  function go(step) {
    slider.value = step; // within its ends
    show(slider.valueAsNumber);
  }

  function pause() {
    clearInterval(timer);
    timer = 0;
    play.textContent = "Play";
    status.setAttribute("aria-live", "polite");
  }

  function toggle() {
    if (timer) return pause();
    status.setAttribute("aria-live", "off");
    play.textContent = "Pause";
    if (slider.valueAsNumber === last) go(0);
    timer = setInterval(() => {
      const step = slider.valueAsNumber + 1;
      if (step >= last || !root.isConnected) pause();
      go(step);
    }, delay);
  }

  const targets = {
    first: () => 0,
    back: () => slider.valueAsNumber - 1,
    next: () => slider.valueAsNumber + 1,
    last: () => last,
  };
  const run = (name) => {
    if (name === "play") return toggle();
    pause();
    go(targets[name]());
  };
  for (const name of ["play", ...Object.keys(targets)]) find(name).addEventListener("click", () => run(name));
  slider.addEventListener("input", () => {
    pause();
    go(slider.valueAsNumber);
  });
  const keys = { " ": "play", Home: "first", ArrowLeft: "back", ArrowRight: "next", End: "last" };
  (root.closest(".p15-page") || root).addEventListener("keydown", (event) => {
    const name = keys[event.key];
    const pressed = event.key === " " && event.target.localName === "button"; // a click
    if (!name || pressed || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation(); // a notebook has keys of its own
    run(name);
  });
  go(0);
}
