/*
 * claude.mjs - what the records of Claude Code's transcripts come to, from
 * spec/history.md sections 3.2 and 3.4.
 */
const CONTEXT = /^(\s*<(command-name|command-message|command-args|local-command-stdout|local-command-stderr|local-command-caveat|bash-input|bash-stdout|bash-stderr|system-reminder|task-notification|ide_opened_file|ide_selection|teammate-message|user-prompt-submit-hook)>[^]*?<\/\2>)+\s*$/;
const INTERRUPTED = /^\[Request interrupted by user( for tool use)?\]$/;

/* Kinds of records, of attachments and of the system's rows that hold no event. */
const SILENT = new Set(["agent-name", "agent-setting", "ai-title", "api-request", "api-request-blob", "api-request-shape", "atis-latch",
  "cost-state", "custom-title", "file-history-delta", "file-history-snapshot", "fork-context-ref", "last-prompt", "mode", "permission-mode", "pr-link", "progress",
  "queue-operation", "summary", "tag", "tools-used"]);
const SILENT_SYSTEM = new Set(["api_error", "away_summary", "bridge_status", "informational", "microcompact_boundary", "model_refusal_fallback",
  "stop_hook_summary", "scheduled_task_fire", "turn_duration", undefined]);
const SILENT_ATTACHMENT = /^(agent_listing_delta|agent_mention|async_hook_response|auto_mode.*|command_permissions|compact_file_reference|compaction_.*|critical_system_reminder|date|date_change|deferred_tools_delta|edited_text_file|environment|file|hook_.*|invoked_skills|mcp_instructions_delta|model|nested_memory|output_style|plan_.*|prompt_snapshot|relevant_memories|remote_session_change|session_context|skill_listing|task_reminder|task_status|total_tokens_reminder|todo_reminder|todo|token_usage)$/;

const block = (one) => ({ text: one.text, image: `[image ${one.source?.media_type}]`, document: `[document ${one.source?.media_type}]` })[one.type];
const blockText = (content) => typeof content === "string" ? content
  : Array.isArray(content) ? content.map(block).filter((text) => text !== undefined).join("\n") : "";

const roleOf = (record, text) => record.isMeta === true || record.isCompactSummary === true || text.startsWith("<context_window>") ||
  CONTEXT.test(text) || INTERRUPTED.test(text) ? "context" : "user";

function ofUser(record) {
  const { content } = record.message;
  const slots = [];
  if (typeof content === "string" || content.some((one) => ["text", "image", "document"].includes(one.type))) {
    const text = blockText(content);
    slots.push({ role: roleOf(record, text), text });
  }
  for (const one of Array.isArray(content) ? content : [])
    if (one.type === "tool_result")
      slots.push({ result: { id: one.tool_use_id, text: blockText(one.content), error: one.is_error === true } });
  return slots;
}

export function claude(records) {
  const commands = records.filter((one) => one.type === "attachment" && one.attachment.type === "queued_command").map((one) => one.attachment);
  const agent = records.every((one) => one.isSidechain !== false);
  /* What a branch was made of after a compaction "from here" stands in it twice. */
  const known = new Set(), again = new Set();
  for (const [index, { uuid }] of records.entries()) if (typeof uuid === "string") (known.has(uuid) ? again.add(index) : known.add(uuid));
  const read = (record, index) => {
    if ((record.isSidechain === true && !agent) || again.has(index)) return [];
    switch (record.type) {
    case "user": return ofUser(record);
    case "assistant": return [{ role: "assistant", text: blockText(record.message.content) },
      ...record.message.content.filter((one) => one.type === "tool_use").map((one) => ({ call: { id: one.id, name: one.name, args: one.input } }))];
    case "attachment": {
      const { type, prompt, commandMode = "prompt" } = record.attachment;
      if (type === "queued_command") {
        const text = blockText(prompt);
        return [{ role: commandMode === "prompt" ? roleOf(record, text) : "context", text }];
      }
      return SILENT_ATTACHMENT.test(type) ? [] : undefined;
    }
    case "system":
      if (["compact_boundary", "local_command"].includes(record.subtype)) return [{ role: "context", text: record.content }];
      return SILENT_SYSTEM.has(record.subtype) ? [] : undefined;
    case "queue-operation":
      if (record.operation === "remove" && record.reason === "absorbed_mid_turn")
        return [{ role: roleOf(record, record.content), text: record.content,
          mirrored: commands.some((one) => one.source_uuid === record.commandUuid || one.prompt === record.content) }];
      return ["enqueue", "dequeue", "remove", "popAll"].includes(record.operation) ? [] : undefined;
    default: return SILENT.has(record.type) ? [] : undefined;
    }
  };
  return Object.assign(read, { repeated: again.size });
}
