import type { MessagesRequest } from '#contract/messages.ts'
import type { IgnoredReason } from '#contract/requests.ts'
import { noteFields, type CallNotes, type FieldRules } from '../../../lib/serving/call-notes.ts'
import { isRecord } from '../../../lib/is-record.ts'
import { isAdaptiveThinking } from '../../../providers/index.ts'

const withPrefix = (prefix: string, names: readonly string[]): string[] =>
  names.map((name) => prefix + name)
const forReason = (
  reason: IgnoredReason,
  names: readonly string[],
): Record<string, IgnoredReason> => Object.fromEntries(names.map((name) => [name, reason]))

/**
 * Treatment of each request field of this dialect for models that do not speak it
 * (`COMPATIBILITY.md`, Fields).
 */
export const MESSAGES_DIALECT_RULES: FieldRules = {
  sent: new Set([
    ...'model messages stream temperature top_p top_k'.split(' '),
    ...withPrefix('tool.', ['type', 'name', 'description', 'input_schema', 'strict']),
    ...withPrefix(
      'block.',
      'type text source content input name id tool_use_id data is_error title context thinking signature'.split(
        ' ',
      ),
    ),
    'block:text',
    'tool:custom',
  ]),
  translated: new Set([
    ...'system max_tokens stop_sequences tools tool_choice metadata service_tier thinking output_config output_format'.split(
      ' ',
    ),
    ...withPrefix(
      'block:',
      'image tool_use tool_result document search_result thinking redacted_thinking'.split(' '),
    ),
  ]),
  ignored: {
    ...forReason('no_counterpart', [
      'cache_control',
      'block.cache_control',
      'tool.cache_control',
      'block.citations',
      'block.transformations',
    ]),
    ...forReason('no_counterpart', [
      'tool.allowed_callers',
      'tool.eager_input_streaming',
      'tool.input_examples',
    ]),
    ...forReason(
      'vendor_only',
      'container diagnostics inference_geo speed user_profile_id workspace_id context_management mcp_servers'.split(
        ' ',
      ),
    ),
    ...forReason('vendor_only', [
      'block.caller',
      'block.toolset_name',
      'block:container_upload',
      'block.file_id',
    ]),
    'tool.defer_loading': 'offered_at_once',
  },
}

const THOUGHTS = ['block:thinking', 'block:redacted_thinking'] as const
const OF_VENDOR = /^(server_tool_use|\w+_tool_result)$/

/** Returns true for kinds of blocks with a decided treatment, those that are left out included. */
export function isKnownBlock(type: unknown): boolean {
  const isIgnored = Object.hasOwn(MESSAGES_DIALECT_RULES.ignored, `block:${String(type)}`)
  return isRead(type) || isIgnored || OF_VENDOR.test(String(type))
}

/** Returns true for kinds of blocks that have a counterpart in chat completions. */
function isRead(type: unknown): boolean {
  const name = `block:${String(type)}`
  return MESSAGES_DIALECT_RULES.sent.has(name) || MESSAGES_DIALECT_RULES.translated.has(name)
}

const listOf = (value: unknown): Record<string, unknown>[] =>
  Array.isArray(value) ? value.filter(isRecord) : []

function noteBlock(notes: CallNotes, block: Record<string, unknown>): void {
  const type = String(block['type'])
  if (OF_VENDOR.test(type)) return notes.ignored(`block:${type}`, 'told_in_text')
  noteFields(notes, { [type]: true }, MESSAGES_DIALECT_RULES, 'block:')
  noteFields(notes, block, MESSAGES_DIALECT_RULES, 'block.')
  for (const inner of listOf(block['content'])) noteBlock(notes, inner)
}

/** Notes the treatment of the fields of a translated messages API request. */
export function noteMessagesDialect(
  notes: CallNotes,
  body: MessagesRequest,
  { canReason, speaksMessages }: { canReason: boolean; speaksMessages: boolean },
): void {
  noteFields(notes, body, MESSAGES_DIALECT_RULES)
  for (const { role, content } of body.messages) {
    const keepsAll = speaksMessages && role === 'user'
    const noted = listOf(content).filter(({ type }) => !keepsAll || isRead(type))
    for (const block of noted) noteBlock(notes, block)
  }
  for (const block of listOf(body.system)) noteBlock(notes, block)
  for (const tool of body.tools ?? []) {
    const isOwn = tool.input_schema != null || tool.type == null || tool.type === 'custom'
    if (isOwn) noteFields(notes, tool, MESSAGES_DIALECT_RULES, 'tool.')
    else notes.ignored(`tool:${tool.type}`, 'vendor_only')
  }
  if (canReason || (speaksMessages && isAdaptiveThinking(body.thinking))) return
  if (body.thinking != null) notes.ignored('thinking', 'not_reasoning')
  if (isRecord(body['output_config']) && body['output_config']['effort'] != null)
    notes.ignored('output_config.effort', 'not_reasoning')
  const noted = new Set(notes.translatedFields)
  for (const kind of THOUGHTS) if (noted.has(kind)) notes.ignored(kind, 'not_reasoning')
}
