// Steps through the expansions of a search tree. Each part of the picture has the number of the expansion that made it
// in data-made, and each numbered board the numbers of its own expansions in data-number.
const steps = JSON.parse(document.querySelector("script[type='application/json']").textContent);
const parts = [...document.querySelectorAll("[data-made]")].map((element) => ({
  element, made: Number(element.dataset.made), numbers: (element.dataset.number ?? "Infinity").split(" ").map(Number),
}));
const [controls, status] = [".steps", ".p15-status"].map((name) => document.querySelector(name));
const quiet = matchMedia("(prefers-reduced-motion: reduce)").matches;

control(controls, status, 700, (step, playing) => {
  for (const { element, made, numbers } of parts) {
    const now = numbers.includes(step);
    element.classList.toggle("later", made > step);
    element.classList.toggle("waits", numbers[0] > step && numbers[0] < Infinity);
    element.classList.toggle("now", now);
    element.classList.toggle("fresh", made === step && !now);
    if (now) {
      element.scrollIntoView({ block: "center", inline: "center", behavior: quiet || playing ? "auto" : "smooth" });
    }
  }
  const [first, ...others] = steps[step - 1].says;
  controls.querySelector(".p15-place").textContent = `${step} of ${steps.length}`;
  status.querySelector("p").textContent = first;
  status.querySelector("ul").replaceChildren(...others.map((text) => {
    const item = document.createElement("li");
    item.textContent = text;
    return item;
  }));
});
