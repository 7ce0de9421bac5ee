import type { IgnoredReason } from '#contract/requests.ts'
import type { ResponsesRequest } from '#contract/responses.ts'
import { noteFields, type CallNotes, type FieldRules } from '../../../lib/serving/call-notes.ts'
import { isRecord } from '../../../lib/is-record.ts'
import { listTools } from './offered-tools.ts'

const forReason = (reason: IgnoredReason, names: string): Record<string, IgnoredReason> =>
  Object.fromEntries(names.split(' ').map((name) => [name, reason]))

/**
 * Treatment of each request field of this dialect, which is always translated (`COMPATIBILITY.md`,
 * Fields).
 */
export const RESPONSES_RULES: FieldRules = {
  sent: new Set([
    ...'model input stream temperature top_p tools parallel_tool_calls user service_tier prompt_cache_key safety_identifier'.split(
      ' ',
    ),
    ...'text reasoning text.format reasoning.effort item:message item:function_call item:function_call_output'.split(
      ' ',
    ),
    ...'tool:function tool.type tool.name tool.description tool.parameters tool.strict tool.tools tool.format tool.execution'.split(
      ' ',
    ),
    ...'item.type item.id item.status item.role item.content item.arguments item.call_id item.name item.output item.input'.split(
      ' ',
    ),
    ...'item.action item.operation item.tools item.execution item.summary item.encrypted_content'.split(
      ' ',
    ),
  ]),
  translated: new Set([
    ...'instructions max_output_tokens tool_choice include reasoning.summary reasoning.generate_summary text.verbosity tool:custom tool:namespace tool:tool_search'.split(
      ' ',
    ),
    'item.namespace',
    ...'item:custom_tool_call item:custom_tool_call_output item:reasoning item:additional_tools'.split(
      ' ',
    ),
    ...'item:tool_search_call item:tool_search_output item:local_shell_call item:local_shell_call_output'.split(
      ' ',
    ),
    ...'item:shell_call item:shell_call_output item:apply_patch_call item:apply_patch_call_output'.split(
      ' ',
    ),
  ]),
  ignored: {
    ...forReason('not_stored', 'store metadata'),
    ...forReason(
      'no_counterpart',
      'item.phase item.async item.caller item.environment item.max_output_length',
    ),
    ...forReason('no_counterpart', 'reasoning.mode reasoning.context'),
    ...forReason('no_counterpart', 'truncation context_management top_logprobs stream_options'),
    ...forReason('no_counterpart', 'tool.allowed_callers tool.async tool.output_schema'),
    ...forReason(
      'vendor_only',
      'max_tool_calls prompt_cache_options prompt_cache_retention access_programs image moderation client_metadata',
    ),
    ...forReason(
      'vendor_only',
      'item:compaction item:compaction_trigger item:configuration_update',
    ),
    ...forReason(
      'told_in_text',
      'item:file_search_call item:computer_call item:computer_call_output item:web_search_call',
    ),
    ...forReason(
      'told_in_text',
      'item:image_generation_call item:code_interpreter_call item:mcp_list_tools item:mcp_call',
    ),
    ...forReason(
      'told_in_text',
      'item:mcp_approval_request item:mcp_approval_response item:program item:program_output',
    ),
    'tool.defer_loading': 'offered_at_once',
  },
}

const OWN_TOOLS = new Set(['function', 'custom', 'namespace', 'tool_search'])

/**
 * Notes the ignored fields of a part. The `detail` of images is kept if the model's own format
 * supports it, which that format's log notes.
 */
function notePart(
  notes: CallNotes,
  { type, detail, prompt_cache_breakpoint: mark }: Readonly<Record<string, unknown>>,
): void {
  if (mark != null) notes.ignored('part.prompt_cache_breakpoint', 'no_counterpart')
  if (detail != null && type === 'input_file') notes.ignored('part.detail', 'no_counterpart')
}

/** Tool choices that name an offered tool; all others name a vendor tool. */
const OWN_CHOICES = new Set(['function', 'custom', 'allowed_tools'])

function noteTool(notes: CallNotes, tool: Readonly<Record<string, unknown>>): void {
  const type = String(tool['type'])
  if (!OWN_TOOLS.has(type)) return notes.ignored(`tool:${type}`, 'vendor_only')
  noteFields(notes, { [type]: true }, RESPONSES_RULES, 'tool:')
  noteFields(notes, tool, RESPONSES_RULES, 'tool.')
  if (type === 'namespace' && Array.isArray(tool['tools']))
    for (const inner of tool['tools'].filter(isRecord)) noteTool(notes, inner)
}

/**
 * Notes the treatment of the fields of a responses API request; a model that does not reason has no
 * reasoning to summarise.
 */
export function noteResponsesDialect(
  notes: CallNotes,
  body: ResponsesRequest,
  { canReason }: { canReason: boolean },
): void {
  noteFields(notes, body, RESPONSES_RULES)
  noteFields(notes, body.text, RESPONSES_RULES, 'text.')
  noteFields(notes, body.reasoning, RESPONSES_RULES, 'reasoning.')
  for (const item of Array.isArray(body.input) ? body.input : []) {
    noteFields(notes, { [item.type ?? 'message']: true }, RESPONSES_RULES, 'item:')
    noteFields(notes, item, RESPONSES_RULES, 'item.')
    for (const part of [item['content'], item['output']].flat().filter(isRecord))
      notePart(notes, part)
  }
  for (const tool of listTools(body)) noteTool(notes, tool)
  const choice = body.tool_choice
  if (isRecord(choice) && !OWN_CHOICES.has(choice.type)) notes.ignored('tool_choice', 'vendor_only')
  if (canReason) return
  for (const name of ['summary', 'generate_summary'])
    if (body.reasoning?.[name] != null) notes.ignored(`reasoning.${name}`, 'not_reasoning')
}
