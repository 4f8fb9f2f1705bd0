/*
 * tty.mjs - a client at a terminal, which tmux(1) plays: keys go in, and what
 * stands on the screen comes out.
 */
import { join } from "node:path";
import { exec } from "../lib.mjs";

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/* Starts `argv` at a terminal of its own, which ends with the place. */
export async function terminal(at, env, argv) {
  const socket = join(at.dir, `tty-${at.terminals = (at.terminals ?? 0) + 1}`);
  const tmux = async (...args) => {
    const { code, stdout, stderr } = await exec("tmux", ["-S", socket, "-f", "/dev/null", ...args], { env, cwd: at.project });
    if (code !== 0) throw new Error(`tmux ${args[0]}: ${stderr}`);
    return stdout;
  };
  const screen = () => tmux("capture-pane", "-p").catch((error) => `(no screen: ${error.message})`);
  await tmux("new-session", "-d", "-x", "150", "-y", "60", ...Object.entries(env).flatMap(([name, value]) => ["-e", `${name}=${value}`]), ...argv);
  const server = Number(await tmux("display-message", "-p", "#{pid}"));
  /* What runs at a terminal that is gone goes on for a while, and writes. */
  const client = Number(await tmux("display-message", "-p", "#{pane_pid}"));
  at.children.push({ kill: (how) => {
    for (const pid of [-client, server]) try { process.kill(pid, how); } catch { /* it has ended */ }
  } });
  return {
    screen,
    keys: async (...keys) => {
      for (const key of keys) {
        await tmux("send-keys", key);
        await pause(150);
      }
    },
    /* A text, and Enter once it stands there: what comes too early is lost. */
    say: async (text) => {
      for (let shown = false; !shown; ) {
        await tmux("send-keys", "-l", text);
        for (let i = 0; !shown && i < 30; i++) {
          await pause(100);
          shown = (await screen()).includes(text);
        }
      }
      await pause(300);
      await tmux("send-keys", "Enter");
    },
    /*
     * Presses a key until the screen says that what is wanted is selected; back
     * again where that was passed, as a busy client draws late.
     */
    select: async (key, pattern) => {
      const still = async () => {
        for (let before; ; ) {
          const now = await screen();
          if (now === before) return now;
          before = now;
          await pause(400);
        }
      };
      const back = { Up: "Down", Down: "Up" }[key];
      for (let i = 0, now; !pattern.test(now = await still()); i++) {
        if (i === 30) throw new Error(`${key} does not lead to ${pattern}:\n${now}`);
        await tmux("send-keys", i < 10 ? key : back);
        await pause(200);
      }
    },
    /* Types what ends the client, and waits for its end. */
    leave: async (text) => {
      await tmux("send-keys", "-l", text);
      await pause(400);
      await tmux("send-keys", "Enter").catch(() => { /* it was quick */ });
      for (const end = Date.now() + 20000; Date.now() < end && await tmux("has-session").then(() => true, () => false); ) await pause(100);
    },
    /* Waits until `so` holds: a pattern of the screen, or a function. */
    until: async (so, seconds = 45) => {
      for (const end = Date.now() + seconds * 1000; Date.now() < end; await pause(100))
        if (typeof so === "function" ? so() : so.test(await screen())) return;
      throw new Error(`waited for ${so} in vain:\n${await screen()}`);
    },
  };
}
