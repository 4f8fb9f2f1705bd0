/*
 * codex.mjs - what the records of Codex's rollouts come to, and which files a
 * thread is made of, from spec/history.md sections 2.5, 3.2 and 3.4.
 */
import { readFileSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";

const UUID = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}";
const NAME = new RegExp(`^rollout-[-0-9T]{19}-(${UUID})(?:_(${UUID}))?\\.jsonl$`);
const TAGS = "environment_context|user_instructions|INSTRUCTIONS|permissions instructions|collaboration_mode|turn_aborted|user_shell_command|skill|skills_instructions|plugins_instructions|apps_instructions|subagent_notification|model_switch|personality_spec|context_window|codex_internal_context|user_action";
const CONTEXT = new RegExp(`^(\\s*<(${TAGS})( [^>]*)?>[^]*?(</\\2>|$))+\\s*$`);
const SILENT = new Set(["session_meta", "turn_context", "event_msg", "world_state", "token_usage_record", "session_state", "compaction_checkpoint"]);
const SILENT_ITEMS = new Set(["reasoning", "ghost_snapshot", "compaction", "context_compaction"]);
const IMAGE_TAG = /^(<image name=\[[^\]]*\] path="[^"]*">|<\/image>)$/;

const linesOf = (bytes) => bytes.toString("utf8").split("\n").filter((line) => line.trim() !== "").map((line) => JSON.parse(line));

/* Every rollout below a home, by thread and segment. */
function rollouts(home) {
  return readdirSync(join(home, ".codex"), { recursive: true }).map(String).filter((name) => NAME.test(basename(name))).map((name) => {
    const [, thread, segment = ""] = NAME.exec(basename(name));
    const bytes = readFileSync(join(home, ".codex", name));
    return { thread, segment, own: segment || thread, bytes, base: linesOf(bytes)[0].payload.history_base };
  });
}

/* The records of a thread, in the order in which they are numbered. */
export function threadRecords(home, thread) {
  const all = rollouts(home), cuts = new Map(), order = [];
  const segments = all.filter((one) => one.thread === thread).sort((a, b) => a.segment < b.segment ? -1 : 1);
  const visit = (one) => {
    if (one.base === undefined || one.base === null) return;
    const of = all.find((other) => other.own === one.base.thread_id);
    visit(of);
    if (of.thread === thread) return;
    if (!cuts.has(of.own)) order.push(of);
    cuts.set(of.own, Math.max(cuts.get(of.own) ?? 0, one.base.end_byte_offset));
  };
  segments.forEach(visit);
  return [...order.flatMap((one) => linesOf(one.bytes.subarray(0, cuts.get(one.own)))), ...segments.flatMap((one) => linesOf(one.bytes))];
}

export const isSubagent = (home, thread) => {
  const { payload } = linesOf(rollouts(home).find((one) => one.thread === thread).bytes)[0];
  return payload.thread_source === "subagent" || Object.hasOwn(payload.source ?? {}, "subagent");
};
export const threads = (home) => [...new Set(rollouts(home).map((one) => one.thread))];

const MEDIA = /^data:([^;,]+\/[^;,]+)/;
const block = (one) => {
  const type = MEDIA.exec(one.image_url ?? one.file_data ?? "")?.[1];
  return { input_text: one.text, output_text: one.text, text: one.text,
    input_image: `[image${type ? ` ${type}` : ""}]`, input_file: `[document${type ? ` ${type}` : ""}]` }[one.type];
};
const blockText = (content) => typeof content === "string" ? content
  : Array.isArray(content) ? content.map(block).filter((text) => text !== undefined).join("\n") : "";
const isContext = (text) => text.trimStart().startsWith("# AGENTS.md instructions") || CONTEXT.test(text);

function ofUser(payload) {
  const kinds = payload.internal_chat_message_metadata_passthrough?.content_item_kinds;
  const text = blockText(payload.content);
  if (!Array.isArray(kinds) || kinds.length !== payload.content.length) return { role: isContext(text) ? "context" : "user", text };
  const of = payload.content.filter((one, i) => kinds[i].startsWith("user.") || (kinds[i] === "unknown" && !isContext(blockText([one]))));
  if (of.length === 0) return { role: "context", text };
  return { role: "user", text: blockText(of.filter((one) => !IMAGE_TAG.test(one.text ?? ""))) };
}

function argumentsOf(text) {
  try {
    const value = JSON.parse(text);
    return value !== null && typeof value === "object" && !Array.isArray(value) ? value : text;
  } catch {
    return text;
  }
}

function resultOf({ call_id: id, output, name }, failed) {
  let text = blockText(output), error = false;
  if (output !== null && typeof output === "object" && !Array.isArray(output)) {
    text = blockText(output.content);
    error = output.success === false;
  }
  const head = text.split("\n").slice(0, 10), at = head.indexOf("Output:");
  const code = typeof output !== "string" ? undefined
    : head.slice(0, Math.max(at, 0)).map((line) => /^(?:Exit code:|Process exited with code) (-?\d+)$/.exec(line)?.[1]).find((one) => one !== undefined);
  if (code !== undefined) error = Number(code) !== 0;
  return { result: { id, name, text, error: error || failed.has(id) } };
}

export function codex(records) {
  const failed = new Set(records.filter((one) => one.type === "event_msg" && one.payload.type === "item_completed")
    .map((one) => one.payload.item).filter((item) => ["McpToolCall", "CommandExecution", "FileChange"].includes(item.type) && ["failed", "declined"].includes(item.status))
    .map((item) => item.id));
  return (record) => {
    const { type, payload } = record;
    if (type === "compacted") return [{ role: "context", text: payload.message ?? "", markers: [] }];
    if (type !== "response_item") return SILENT.has(type) ? [] : undefined;
    switch (payload.type) {
    case "message":
      if (payload.role === "user") return [ofUser(payload)];
      if (payload.role === "assistant")
        return [{ role: record.metadata?.compaction_output === true ? "context" : "assistant", text: blockText(payload.content) }];
      return [{ role: "context", text: blockText(payload.content) }];
    case "agent_message": return [{ role: "context", text: blockText(payload.content) }];
    case "function_call": return [{ call: { id: payload.call_id, name: payload.name, args: argumentsOf(payload.arguments) } }];
    case "tool_search_call": return [{ call: { id: payload.call_id, name: payload.name || "tool_search", args: payload.arguments } }];
    case "custom_tool_call": return [{ call: { id: payload.call_id, name: payload.name, args: payload.input } }];
    case "local_shell_call": return [{ call: { id: payload.call_id, name: "local_shell", args: payload.action } }];
    case "web_search_call": return [{ call: { name: "web_search", args: payload.action }, status: payload.status === "completed" ? "ok" : "unfinished" }];
    case "function_call_output": case "custom_tool_call_output": case "tool_search_output": return [resultOf(payload, failed)];
    default: return SILENT_ITEMS.has(payload.type) ? [] : undefined;
    }
  };
}
