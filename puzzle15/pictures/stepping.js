// Steps through the expansions of a search tree: every part of the picture tells by data-made which expansion made it,
// and every numbered board by data-number when it was expanded, perhaps several times.
"use strict";
(() => {
  const find = (id) => document.getElementById(id);
  const steps = JSON.parse(find("steps").textContent);
  const parts = [...document.querySelectorAll("[data-made]")].map((element) => ({
    element, made: Number(element.dataset.made), numbers: (element.dataset.number ?? "Infinity").split(" ").map(Number),
  }));
  const slider = find("step");
  const quiet = matchMedia("(prefers-reduced-motion: reduce)").matches;
  let timer = null;

  function show(step) {
    step = Math.min(Math.max(step, 1), steps.length);
    slider.value = step;
    for (const { element, made, numbers } of parts) {
      const now = numbers.includes(step);
      element.classList.toggle("later", made > step);
      element.classList.toggle("waits", numbers[0] > step && numbers[0] < Infinity);
      element.classList.toggle("now", now);
      element.classList.toggle("fresh", made === step && !now);
      if (now) {
        element.scrollIntoView({ block: "center", inline: "center", behavior: quiet || timer ? "auto" : "smooth" });
      }
    }
    const [first, ...others] = steps[step - 1].says;
    find("place").textContent = `${step} of ${steps.length}`;
    find("says").querySelector("p").textContent = first;
    find("says").querySelector("ul").replaceChildren(...others.map((text) => {
      const item = document.createElement("li");
      item.textContent = text;
      return item;
    }));
  }

  // While it plays, a screen reader is told nothing: it could not keep up.
  function turn(playing) {
    clearInterval(timer);
    timer = playing ? setInterval(advance, 700) : null;
    find("play").textContent = playing ? "Pause" : "Play";
    find("says").setAttribute("aria-live", playing ? "off" : "polite");
  }

  function advance() {
    show(slider.valueAsNumber + 1);
    if (slider.valueAsNumber === steps.length) turn(false);
  }

  function move(step) {
    turn(false);
    show(step);
  }

  function play() {
    if (!timer && slider.valueAsNumber === steps.length) show(1);
    turn(!timer);
  }

  const deeds = {
    first: () => move(1),
    back: () => move(slider.valueAsNumber - 1),
    play,
    next: () => move(slider.valueAsNumber + 1),
    last: () => move(steps.length),
  };
  for (const [id, deed] of Object.entries(deeds)) find(id).addEventListener("click", deed);
  slider.addEventListener("input", () => move(slider.valueAsNumber));

  const keys = { Home: "first", ArrowLeft: "back", " ": "play", ArrowRight: "next", End: "last" };
  document.addEventListener("keydown", (event) => {
    const deed = keys[event.key];
    const taken = event.target === slider ? event.key !== " " : event.target.closest("button") && event.key === " ";
    if (!deed || taken || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    deeds[deed]();
  });
  show(1);
})();
