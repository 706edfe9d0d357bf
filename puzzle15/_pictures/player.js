// Starts each new player of the page: it goes through moves by buttons, a slider and keys, or plays them.
const DIRECTIONS = { U: "up", D: "down", L: "to the left", R: "to the right" };
const KEYS = { " ": "play", Home: "first", ArrowLeft: "back", ArrowRight: "next", End: "last" };
const CELL = 40, MIDDLE = 24; // as in svg.py
const NEAR = 80; // moves that are shown before and after the one just made

// The tiles, cell by cell, before the first move and after each one; and each move in words.
function follow(tiles, cols, moves) {
  const beside = { U: cols, D: -cols, L: 1, R: -1 }; // from the blank to the tile that moves
  const boards = [tiles], words = [""];
  for (const move of moves) {
    const board = [...boards[boards.length - 1]], moved = [];
    for (const letter of move) {
      const blank = board.indexOf(0), from = blank + beside[letter];
      moved[letter === "L" || letter === "U" ? "push" : "unshift"](board[from]); // in reading order
      [board[blank], board[from]] = [board[from], 0];
    }
    boards.push(board);
    words.push(`${moved.length > 1 ? "tiles" : "tile"} ${moved.join(" and ")} ${DIRECTIONS[move[0]]}`);
  }
  return [boards, words];
}

function describe(board, cols) {
  const rows = [];
  for (let row = 0; cols * row < board.length; row++) {
    rows.push(`Row ${row + 1}: ${board.slice(cols * row, cols * (row + 1)).map((tile) => tile || "blank").join(", ")}.`);
  }
  return rows.join(" ");
}

function start(player) {
  const { tiles, cols, moves: text, distances, delay } = JSON.parse(player.dataset.game);
  const moves = text.split(" "), last = moves.length;
  const [boards, words] = follow(tiles, cols, moves);
  const find = (name) => player.querySelector(`.p15-${name}`);
  const [slider, status] = [find("slider"), find("status")];
  const [made, now, left] = find("moves").children;
  const shown = player.querySelectorAll("svg g[class^=c]");
  const groups = new Map(tiles.filter(Boolean).map((tile, number) => [tile, shown[number]]));
  let timer = 0;

  // Moves as text; a digit repeats a letter.
  function write(from, end) {
    const some = from < 0 ? [] : moves.slice(from, Math.max(from, end));
    return some.map((move) => move[0] + (move.length > 1 ? move.length : "")).join("");
  }

  function go(to) {
    slider.value = to; // within its ends
    const at = slider.valueAsNumber;
    boards[at].forEach((tile, cell) => {
      const corner = [cell % cols, Math.floor(cell / cols)].map((part) => `${CELL * part + MIDDLE}px`);
      if (tile) groups.get(tile).style.transform = `translate(${corner})`;
    });
    player.querySelector("desc").textContent = describe(boards[at], cols);
    made.textContent = write(Math.max(0, at - NEAR), at - 1);
    now.textContent = write(at - 1, at);
    left.textContent = write(at, at + NEAR);
    const sentence = `Move ${at} of ${last}${at ? `: ${words[at]}` : ""}.`;
    status.textContent = sentence + (distances.length ? `\nDistance to the goal: ${distances[at]}.` : "");
    slider.setAttribute("aria-valuetext", sentence);
  }

  function pause() {
    clearInterval(timer);
    timer = 0;
    find("play").textContent = "Play";
    status.setAttribute("aria-live", "polite");
  }

  function play() {
    status.setAttribute("aria-live", "off"); // screen readers could not follow
    find("play").textContent = "Pause";
    if (slider.valueAsNumber === last) go(0);
    timer = setInterval(() => {
      const at = slider.valueAsNumber + 1;
      if (at >= last || !player.isConnected) pause();
      go(at);
    }, delay);
  }

  function run(name) {
    if (name === "play") return timer ? pause() : play();
    pause();
    const at = slider.valueAsNumber;
    go({ first: 0, back: at - 1, next: at + 1, last }[name] ?? at);
  }

  for (const name of Object.values(KEYS)) find(name).addEventListener("click", () => run(name));
  slider.addEventListener("input", () => run("slider"));
  (player.closest(".p15-page") || player).addEventListener("keydown", (event) => {
    const name = KEYS[event.key];
    const pressed = event.key === " " && event.target.localName === "button"; // a click
    if (!name || pressed || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation(); // a notebook has keys of its own
    run(name);
  });
  player.tabIndex = 0;
  find("controls").hidden = false;
  go(0);
}

for (const player of document.querySelectorAll(".p15-player[data-game]:not([data-runs])")) {
  player.dataset.runs = "";
  start(player);
}
