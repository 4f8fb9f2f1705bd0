/*
 * claude-tty.test.mjs - Claude Code at a terminal, for what only its own screen
 * offers: the rewind and its compactions "up to here" and "from here", words
 * typed while it works, commands of the person, branches.
 */
import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { call, found } from "./check.mjs";
import { PROGRAM, bash, begin, check, fileOf, say, sessions } from "./claude-home.mjs";
import { terminal } from "./tty.mjs";

const options = { timeout: 300000 };
const SCRIPT = {
  one: ["mk-a-one"], two: [[bash("echo mk-out-two; exit 3"), bash("echo mk-out-beside")], "mk-a-two"], three: ["mk-a-three"], four: ["mk-a-four"],
  five: ["mk-a-five"], six: [[bash("echo mk-out-six")], "mk-a-six"], seven: ["mk-a-seven"], eight: ["mk-a-eight"], nine: [[bash("echo mk-out-nine")], "mk-a-nine"],
  ten: ["mk-a-ten"], eleven: ["mk-a-eleven"], twelve: ["mk-a-twelve"], branched: ["mk-a-branched"], resumed: ["mk-a-resumed"], cleared: ["mk-a-cleared"],
  busy: [[say("mk-a-busy"), bash("sleep 2; echo mk-out-busy")], "mk-a-busy-end"], stopped: [[say("mk-a-stopped"), bash("tail -f /dev/null; echo mk-never")]],
};

/* What it asks at its first start, answered. */
function settle(at) {
  writeFileSync(join(at.home, ".claude.json"), JSON.stringify({ hasCompletedOnboarding: true, theme: "dark", bypassPermissionsModeAccepted: true,
    customApiKeyResponses: { approved: ["none"], rejected: [] },
    projects: { [at.project]: { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true, enabledMcpjsonServers: ["ctx"] } } }));
}

async function open(t, { at, host }, ...more) {
  const tty = await terminal(at, host, [process.execPath, PROGRAM, "--dangerously-skip-permissions", "--model", "claude-sonnet-4-5", ...more]);
  const id = () => sessions(at).find((one) => readFileSync(fileOf(at, one), "utf8").includes("mk-u-one"));
  await tty.until(/bypass permissions on/);
  const textOf = (one) => existsSync(fileOf(at, one)) ? readFileSync(fileOf(at, one), "utf8") : "";
  return {
    ...tty, id,
    /* A prompt, up to the end of its turn in the transcript of any session. */
    turn: async (name) => {
      await tty.say(`mk-u-${name} @@${name}`);
      await tty.until(() => existsSync(join(at.home, ".claude/projects")) && sessions(at).some((one) => {
        const text = textOf(one);
        return text.includes(`mk-a-${name}"`) && text.lastIndexOf('"turn_duration"') > text.lastIndexOf(`mk-a-${name}"`);
      }));
    },
    /* Goes back to a prompt with Esc Esc, and takes what the menu calls so. */
    back: async (to, choice) => {
      await tty.keys("Escape", "Escape");
      await tty.until(/Restore the code and\/or conversation/);
      await tty.select("Up", new RegExp(`^ +❯ mk-u-${to}`, "m"));
      await tty.keys("Enter");
      await tty.until(new RegExp(`\\d\\. ${choice}`));
      await tty.keys(new RegExp(`(\\d)\\. ${choice}`).exec(await tty.screen())[1]);
    },
  };
}

test("Claude Code at a terminal: rewind, compactions up to here and from here, words while busy, branch", options, async (t) => {
  const all = await begin(t, SCRIPT), { at, env } = all;
  settle(at);
  const first = await open(t, all);
  for (const name of ["one", "two", "three", "four"]) await first.turn(name);
  const id = first.id(), boundaries = () => readFileSync(fileOf(at, id), "utf8").split('"compact_boundary"').length - 1;
  await first.back("three", "Summarize up to here");
  await first.until(() => boundaries() === 1);
  await first.turn("five");
  await t.test("summarized up to here: what was kept and what was summarized stay", async () => {
    await check(t, all, id);
    assert.equal((await call(env, "context-boot", { session: `claude:${id}` })).windows.length, 2);
  });

  for (const name of ["six", "seven"]) await first.turn(name);
  await first.back("six", "Summarize from here");
  await first.until(() => boundaries() === 2);
  await first.keys("C-u");
  await first.turn("eight");
  await t.test("summarized from here: the turns that were are history", () => check(t, all, id));

  for (const name of ["nine", "ten"]) await first.turn(name);
  await first.back("nine", "Restore conversation");
  await first.until(/❯\smk-u-nine @@nine\s*\n\s*─/);
  await first.keys("C-u");
  await first.turn("eleven");
  const gone = ["mk-u-nine", "mk-out-nine", "mk-a-nine", "mk-u-ten", "mk-a-ten"];
  await t.test("rewound: what was said since is on another branch", () => check(t, all, id, gone));

  await first.say("/compact mk-focus");
  await first.until(() => boundaries() === 3);
  await first.turn("twelve");
  await first.say("mk-u-busy @@busy");
  await first.until(() => readFileSync(fileOf(at, id), "utf8").includes("mk-a-busy"));
  await first.say("mk-u-queued");
  await first.until(() => readFileSync(fileOf(at, id), "utf8").includes("mk-a-busy-end"));
  await first.keys("!");
  await first.say("echo mk-shell");
  await first.until(() => {
    const text = readFileSync(fileOf(at, id), "utf8");
    return text.includes("<bash-stdout>mk-shell") && text.lastIndexOf('"turn_duration"') > text.indexOf("<bash-stdout>mk-shell");
  });
  await first.say("mk-u-stopped @@stopped");
  await first.until(() => readFileSync(fileOf(at, id), "utf8").includes("mk-a-stopped"));
  await first.keys("Escape");
  await first.until(() => readFileSync(fileOf(at, id), "utf8").includes("[Request interrupted by user"));
  await t.test("compacted whole, spoken to while busy, a command, an interruption", async () => {
    await check(t, all, id, gone);
    assert.equal((await call(env, "context-boot", { session: `claude:${id}` })).windows.length, 4);
  });

  await first.say("/branch");
  await first.until(/ranched/);
  await first.turn("branched");
  const branch = sessions(at).find((one) => readFileSync(fileOf(at, one), "utf8").includes("mk-a-branched"));
  await t.test("branched", async () => {
    assert.notEqual(branch, id);
    await check(t, all, branch);
    await check(t, all, id, gone);
    for (const marker of ["mk-u-one", "mk-a-four", "mk-a-branched"]) assert.equal(await found(env, marker), 1, marker);
  });
  await first.say("/clear");
  await first.turn("cleared");
  const cleared = sessions(at).find((one) => readFileSync(fileOf(at, one), "utf8").includes("mk-a-cleared"));
  await t.test("cleared", () => check(t, all, cleared));

  const later = await open(t, all, "--resume", id);
  await later.turn("resumed");
  await t.test("resumed", () => check(t, all, id, gone));
  await t.test("no transcript is left out", () => assert.deepEqual(sessions(at), [id, branch, cleared].sort()));
});
