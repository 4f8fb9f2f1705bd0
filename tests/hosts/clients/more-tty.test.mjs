/*
 * more-tty.test.mjs - Copilot CLI, Qwen Code and Gemini CLI at a terminal, for
 * what their own screens offer: compaction, rewind, fork, commands of the person.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { call, found } from "./check.mjs";
import { begin, hosts, say } from "./more-home.mjs";
import { terminal } from "./tty.mjs";

const options = { timeout: 400000 };

/* A history that is long enough to be worth a summary, as the model counts. */
const script = (host) => ({
  aside: (k) => ({ blocks: [say(`<state_snapshot>mk-aside-${k}</state_snapshot>`)], tokens: 90000 }),
  one: ["mk-a-one"], two: [[host.shell("echo mk-out-two; exit 3"), host.shell("echo mk-out-beside")], "mk-a-two"],
  three: [{ blocks: [say("mk-a-three")], tokens: 90000 }], four: ["mk-a-four"], five: [[host.shell("echo mk-out-five")], "mk-a-five"], six: ["mk-a-six"],
  seven: ["mk-a-seven"], eight: ["mk-a-eight"], nine: ["mk-a-nine"], forked: ["mk-a-forked"], resumed: ["mk-a-resumed"],
});

const windows = async (env, name, id) => (await call(env, "context-boot", { session: `${name}:${id}` })).windows.length;

/* A client at a terminal, when its prompt stands there. */
async function open(t, name, all, ready, ...more) {
  const { host, at, full, files } = all;
  const tty = await terminal(at, full, [process.execPath, ...host.screen(...more)]);
  const includes = (text) => files().some((file) => readFileSync(file, "utf8").includes(text));
  await ready(tty);
  const sizes = () => files().map((file) => readFileSync(file).length).join();
  return {
    ...tty,
    includes,
    turn: async (name) => {
      await tty.say(`mk-u-${name} %%${name}`);
      await tty.until(() => includes(`mk-a-${name}`));
      await tty.until(host.idle);
      for (let before; before !== sizes(); ) {
        before = sizes();
        await new Promise((resolve) => setTimeout(resolve, 500));
      }
    },
  };
}

test("copilot at a terminal: compaction, rewind, a command of the person, fork, resume", options, async (t) => {
  const all = await begin(t, "copilot", script(hosts.copilot)), { host, env, files, fileOf, check } = all;
  const trusted = async (tty) => {
    await tty.until(/Do you trust the files/);
    await tty.keys("Enter");
    await tty.until(new RegExp(`${host.idle.source}|Session in use`));
    if (!host.idle.test(await tty.screen())) await tty.keys("Enter");
    await tty.until(host.idle);
  };
  const first = await open(t, "copilot", all, trusted);
  for (const name of ["one", "two", "three"]) await first.turn(name);
  const id = host.id(files()[0]);
  await first.say("/compact");
  await first.until(() => first.includes('"session.compaction_complete"'));
  for (const name of ["four", "five", "six"]) await first.turn(name);
  await t.test("compacted", async () => {
    await check(fileOf(id));
    assert.equal(await windows(env, "copilot", id), 2);
  });

  await first.keys("Escape", "Escape");
  await first.until(/Rewind to a previous point/);
  await first.select("Down", /❯ +\d+\. mk-u-five/);
  await first.keys("Enter");
  await first.until(/Conversation only/);
  await first.keys("Enter");
  await first.until(/Rewound the conversation/);
  await first.keys("C-u");
  await first.turn("seven");
  await t.test("rewound: the client cuts its file", async () => {
    await check(fileOf(id));
    assert.equal(await found(env, "mk-a-five"), 0);
  });

  await first.say("!echo mk-shell");
  await first.until(() => first.includes('"content":"mk-shell'));
  await first.until(host.idle);
  await first.say("/fork");
  await first.until(/Forked from/);
  await first.turn("forked");
  const fork = files().find((file) => readFileSync(file, "utf8").includes("mk-a-forked"));
  await t.test("forked, after a command of the person", async () => {
    assert.notEqual(host.id(fork), id);
    await check(fork);
    await check(fileOf(id));
    for (const marker of ["mk-u-one", "mk-a-four", "mk-a-forked"]) assert.equal(await found(env, marker), 1, marker);
  });

  await first.leave("/exit");
  const later = await open(t, "copilot", all, trusted, "--resume", id);
  await later.turn("resumed");
  await t.test("resumed", () => check(fileOf(id)));
});

test("qwen at a terminal: compaction, rewind, resume", options, async (t) => {
  const all = await begin(t, "qwen", script(hosts.qwen)), { host, env, files, fileOf, check } = all;
  const ready = (tty) => tty.until(host.idle);
  const first = await open(t, "qwen", all, ready);
  for (const name of ["one", "two", "three"]) await first.turn(name);
  const id = host.id(files()[0]);
  await first.say("/compress");
  await first.until(() => first.includes('"chat_compression"'));
  await first.until(host.idle);
  for (const name of ["four", "five", "six"]) await first.turn(name);
  await t.test("compressed", async () => {
    await check(fileOf(id));
    assert.equal(await windows(env, "qwen", id), 2);
  });

  await first.keys("Escape", "Escape");
  await first.until(/Rewind Conversation/);
  await first.select("Up", /› #\d+ mk-u-five/);
  await first.keys("Enter");
  await first.until(/Restore conversation only/);
  await first.keys("Enter");
  await first.until(/Conversation rewound/);
  await first.keys("C-u");
  await first.turn("seven");
  const gone = ["mk-u-five", "mk-out-five", "mk-a-five", "mk-u-six", "mk-a-six"];
  await t.test("rewound", () => check(fileOf(id), gone));
  await first.leave("/quit");
  const later = await open(t, "qwen", all, ready, "--resume", id);
  await later.turn("resumed");
  await t.test("resumed", () => check(fileOf(id), gone));
});

test("gemini at a terminal: compaction, rewind, a command of the person, resume", options, async (t) => {
  const all = await begin(t, "gemini", script(hosts.gemini)), { host, env, files, fileOf, check } = all;
  const ready = (tty) => tty.until(host.idle);
  const first = await open(t, "gemini", all, ready);
  const back = async (to) => {
    await first.say("/rewind");
    await first.until(/Stay at current position/);
    await first.select("Up", new RegExp(`● ${to}`));
    await first.keys("Enter");
    await first.until(/Confirm Rewind/);
    await first.keys("Enter");
    await first.until(host.typed);
    await first.keys("C-u");
    await first.until(host.idle);
  };
  for (const name of ["one", "two", "three"]) await first.turn(name);
  const id = host.id(files()[0]);
  await first.say("/compress");
  await first.until(/Chat history compressed/);
  for (const name of ["four", "five", "six"]) await first.turn(name);
  await t.test("compressed", async () => {
    await check(fileOf(id));
    assert.equal(await windows(env, "gemini", id), 2);
  });

  await back("mk-u-five");
  await first.turn("seven");
  const gone = ["mk-u-five", "mk-out-five", "mk-a-five", "mk-u-six", "mk-a-six"];
  await t.test("rewound to what was said after it", () => check(fileOf(id), gone));
  await first.keys("!");
  await first.say("echo mk-shell");
  await first.until(() => first.includes("I ran the following shell command"));
  await first.keys("Escape");
  await first.until(host.idle);
  await first.turn("eight");
  await t.test("a command of the person", () => check(fileOf(id), gone));
  await first.leave("/quit");
  /* It shows its prompt before it has read the session, and then draws it anew: keys in between are lost. */
  const resumed = (tty) => tty.until(/mk-a-eight[^]*\n *\*   Type your message/);
  const later = await open(t, "gemini", all, resumed, "--resume", id);
  await later.turn("resumed");
  await t.test("resumed", () => check(fileOf(id), gone));
});
