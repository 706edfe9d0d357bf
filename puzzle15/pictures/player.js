// Plays the moves of each player of the page that does not run yet; `player.py` writes the players.
(() => {
  "use strict";
  const WAYS = { U: "up", D: "down", L: "to the left", R: "to the right" };
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
      words.push(`${moved.length > 1 ? "tiles" : "tile"} ${moved.join(" and ")} ${WAYS[move[0]]}`);
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
    const moves = text.split(" ");
    const [boards, words] = follow(tiles, cols, moves);
    const find = (name) => player.querySelector(`.p15-${name}`);
    const [status, slider, play] = [find("status"), find("slider"), find("play")];
    const [made, now, left] = find("moves").children;
    const description = player.querySelector("desc");
    const shown = player.querySelectorAll("svg g[class^=c]");
    const groups = new Map(tiles.filter(Boolean).map((tile, number) => [tile, shown[number]]));
    let at = 0, timer = 0;

    // Some moves as text; of several equal letters, a digit tells how many.
    function write(from, end) {
      const some = from < 0 ? [] : moves.slice(from, Math.max(from, end));
      return some.map((move) => move[0] + (move.length > 1 ? move.length : "")).join("");
    }

    function show(number) {
      at = Math.max(0, Math.min(moves.length, number));
      boards[at].forEach((tile, cell) => {
        const place = [cell % cols, Math.floor(cell / cols)].map((part) => `${CELL * part + MIDDLE}px`);
        if (tile) groups.get(tile).style.transform = `translate(${place})`;
      });
      description.textContent = describe(boards[at], cols);
      slider.value = at;
      made.textContent = write(Math.max(0, at - NEAR), at - 1);
      now.textContent = write(at - 1, at);
      left.textContent = write(at, at + NEAR);
      const told = `Move ${at} of ${moves.length}${at ? `: ${words[at]}` : ""}.`;
      status.textContent = told + (distances.length ? `\nDistance to the goal: ${distances[at]}.` : "");
      slider.setAttribute("aria-valuetext", told);
    }

    function pause() {
      clearInterval(timer);
      timer = 0;
      play.textContent = "Play";
      status.setAttribute("aria-live", "polite"); // while it plays, nobody could listen to every move
    }

    function toggle() {
      if (timer) return pause();
      status.setAttribute("aria-live", "off");
      play.textContent = "Pause";
      if (at === moves.length) show(0);
      timer = setInterval(() => {
        if (at + 1 >= moves.length || !player.isConnected) pause();
        show(at + 1);
      }, delay);
    }

    const actions = {
      play: toggle,
      first: () => show(0),
      back: () => show(at - 1),
      next: () => show(at + 1),
      last: () => show(moves.length),
    };
    const keys = { " ": "play", Home: "first", ArrowLeft: "back", ArrowRight: "next", End: "last" };
    const run = (name) => {
      if (name !== "play") pause();
      actions[name]();
    };
    for (const name in actions) find(name).addEventListener("click", () => run(name));
    slider.addEventListener("input", () => {
      pause();
      show(+slider.value);
    });
    (player.closest(".p15-page") || player).addEventListener("keydown", (event) => {
      const name = keys[event.key];
      const pressed = event.key === " " && event.target.localName === "button"; // it is clicked by itself
      if (!name || pressed || event.ctrlKey || event.altKey || event.metaKey) return;
      event.preventDefault();
      event.stopPropagation(); // a notebook has keys of its own
      run(name);
    });
    player.tabIndex = 0;
    find("controls").hidden = false;
    show(0);
  }

  for (const player of document.querySelectorAll(".p15-player[data-game]:not([data-runs])")) {
    player.dataset.runs = "";
    start(player);
  }
})();
