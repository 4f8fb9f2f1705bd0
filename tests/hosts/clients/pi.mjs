/*
 * pi.mjs - what the records of Pi's sessions come to, from spec/history.md
 * sections 3.2 and 3.4.
 */
const SILENT = new Set(["session", "custom", "label", "model_change", "thinking_level_change", "session_info", "usage", "context_edit"]);

const block = (one) => ({ text: one.text, image: `[image ${one.mimeType}]` })[one.type];
const blockText = (content) => typeof content === "string" ? content
  : Array.isArray(content) ? content.map(block).filter((text) => text !== undefined).join("\n") : "";

function ofMessage(message) {
  switch (message.role) {
  case "user": return [{ role: "user", text: blockText(message.content) }];
  case "assistant": return [{ role: "assistant", text: blockText(message.content) },
    ...message.content.filter((one) => one.type === "toolCall").map((one) => ({ call: { id: one.id, name: one.name, args: one.arguments } }))];
  case "toolResult": return [{ result: { id: message.toolCallId, name: message.toolName, text: blockText(message.content), error: message.isError === true } }];
  case "bashExecution": return [{ call: { name: "bash", args: { command: message.command } }, answer: { text: message.output },
    status: message.cancelled || message.exitCode !== 0 ? "error" : "ok" }];
  case "custom": return [{ role: "context", text: blockText(message.content) }];
  case "branchSummary": case "compactionSummary": return [{ role: "context", text: message.summary }];
  case "system": return [];
  default: return undefined;
  }
}

export function pi() {
  return (record) => {
    switch (record.type) {
    case "message": return ofMessage(record.message);
    case "compaction": case "branch_summary": return [{ role: "context", text: record.summary }];
    case "custom_message": return [{ role: "context", text: blockText(record.content) }];
    default: return SILENT.has(record.type) ? [] : undefined;
    }
  };
}
