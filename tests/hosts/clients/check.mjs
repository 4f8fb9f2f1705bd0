/*
 * check.mjs - every record of a transcript against what the programs show.
 *
 * What a record should come to is said once more here, in few words and from
 * the specification (spec/history.md sections 3.2 to 3.5), not by asking the
 * programs.  The words of a script carry markers, `mk-...`; a test says which
 * of them are gone, for what was rewound or retired; all others must be there.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { BIN, exec } from "../lib.mjs";

const ROLES = ["user", "assistant", "tool", "context"];

/* Runs a program with an argument object: its result, or it throws. */
export async function call(env, program, args) {
  const { code, stdout, stderr } = await exec(join(BIN, program), ["-j"], { env, input: JSON.stringify(args) });
  assert.equal(code, 0, `${program} ${JSON.stringify(args)}: exit ${code}: ${stdout}${stderr}`);
  return JSON.parse(stdout);
}

/* Every event of a session, oldest first, whole, over all pages. */
export async function eventsOf(env, session) {
  const events = [];
  let args = { session, roles: ROLES, limit: 100, max_chars_per_item: 2000 };
  const seen = new Set();
  for (let after = 0; ;) {
    const page = await call(env, "history-list", { ...args, after_seq: after });
    for (const event of page.events) {
      if (seen.has(event.seq)) continue;
      seen.add(event.seq);
      events.push(event);
    }
    const next = Math.max(after, ...page.events.map((event) => event.seq));
    if (page.events.length === 0 || next === after) return { events, page };
    after = next;
  }
}

/* The whole document of an event, window by window. */
async function documentOf(env, session, event) {
  if (!event.truncated) return event.content;
  let text = "";
  for (let offset = 0; offset !== null;) {
    const read = await call(env, "history-read", { session, seq: event.seq, offset_chars: offset });
    text += read.text;
    offset = read.next_offset_chars;
  }
  return text;
}

const markersOf = (value) => JSON.stringify(value).match(/mk-[a-z0-9]+(-[a-z0-9]+)*/g) ?? [];

/* Results to their calls: of the nearest earlier record, the first without one. */
function pair(slots) {
  const open = new Map();
  for (const slot of slots) {
    if (slot.call !== undefined && slot.call.id) {
      const calls = open.get(slot.call.id) ?? open.set(slot.call.id, []).get(slot.call.id);
      calls.push(slot);
    } else if (slot.result !== undefined && slot.result.id) {
      const free = (open.get(slot.result.id) ?? []).filter((one) => one.answer === undefined);
      if (free.length === 0) continue;
      const at = free.at(-1).record, taker = free.find((one) => one.record === at);
      taker.answer = slot.result;
      slot.consumed = true;
    }
  }
}

const documentFor = (slot) => {
  if (slot.text !== undefined) return slot.text;
  const { name, args } = slot.call ?? { name: slot.result.name ?? "unknown" };
  const output = slot.call === undefined ? slot.result.text : slot.answer?.text ?? "";
  const head = `${name} ${args === undefined ? "(arguments not recorded)" : JSON.stringify(args)}`;
  return output === "" ? head : `${head}\n--- output ---\n${output}`;
};

const statusFor = (slot) => {
  const result = slot.call === undefined ? slot.result : slot.answer;
  return slot.status ?? (result === undefined ? "unfinished" : result.error ? "error" : "ok");
};

/*
 * A list of faults, empty where all is right; `shown` counts what was compared.
 * `of` is a file, or the records of several.  An oracle that knows of records
 * which are there twice counts them as `repeated`.
 */
export async function faultsOf(env, oracle, of, session, gone = []) {
  const faults = [], slots = [];
  const records = Array.isArray(of) ? of
    : readFileSync(of, "utf8").split("\n").filter((line) => line.trim() !== "").map((line) => JSON.parse(line));
  const read = oracle(records);
  for (const [index, record] of records.entries()) {
    const made = read(record, index);
    if (made === undefined) {
      faults.push(`line ${index + 1}: a kind of record that nothing is known of: ${JSON.stringify(record).slice(0, 300)}`);
      continue;
    }
    for (const slot of made)
      slots.push({ ...slot, record: index, seq: slots.length + 1, markers: slot.markers ?? markersOf(record) });
  }
  const isGone = (slot) => slot.markers.some((marker) => gone.includes(marker));
  pair(slots.filter((slot) => !isGone(slot)));
  const { events, page } = await eventsOf(env, session);
  const at = new Map(events.map((event) => [event.seq, event]));
  for (const slot of slots) {
    const event = at.get(slot.seq), where = `seq ${slot.seq} (line ${slot.record + 1})`;
    at.delete(slot.seq);
    if (slot.consumed || slot.mirrored || isGone(slot)) {
      if (event !== undefined) faults.push(`${where}: shown, and should not be: ${JSON.stringify(event).slice(0, 300)}`);
      continue;
    }
    if (event === undefined) {
      if (slot.markers.length > 0) faults.push(`${where}: not shown: ${JSON.stringify(slot).slice(0, 300)}`);
      continue;
    }
    const role = slot.role ?? "tool";
    if (event.role !== role) faults.push(`${where}: role ${event.role}, not ${role}: ${JSON.stringify(slot).slice(0, 300)}`);
    const got = await documentOf(env, session, event), want = documentFor(slot);
    if (got !== want) faults.push(`${where}: reads ${JSON.stringify(got).slice(0, 400)}, not ${JSON.stringify(want).slice(0, 400)}`);
    if (role === "tool" && event.tool_status !== statusFor(slot))
      faults.push(`${where}: ${event.tool_status}, not ${statusFor(slot)}: ${JSON.stringify(slot).slice(0, 300)}`);
  }
  for (const event of at.values()) faults.push(`seq ${event.seq}: nothing is recorded there: ${JSON.stringify(event).slice(0, 300)}`);
  if (page.lines_skipped || (page.records_repeated ?? 0) !== (read.repeated ?? 0)) faults.push(`skipped: ${JSON.stringify(page).slice(-200)}`);
  return { faults, records: records.length, shown: events.length };
}

/* Fails with the faults, one a line. */
export function none(faults) {
  if (faults.length > 0) assert.fail(`${faults.length} faults\n${faults.join("\n")}`);
}

/* How often a word is found over all sessions: a fork's past is found once. */
export async function found(env, word) {
  const page = await call(env, "history-list", { session: "*", query: word, roles: ROLES, limit: 100 });
  return page.events.length;
}
