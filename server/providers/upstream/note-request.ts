import { noteFields, type CallNotes, type FieldRules } from '../../lib/serving/call-notes.ts'
import { isRecord, type Fields } from '../../lib/is-record.ts'
import { isUnknownPart, type IsOwnPart } from './plain-request.ts'

const listOf = (value: unknown): Fields[] => (Array.isArray(value) ? value.filter(isRecord) : [])

/** Abilities of a format beyond those common to all. */
interface FormatAbilities {
  /** Returns true if an upstream accepts reasoning sealed by a provider. */
  readonly takesDetails?: (details: unknown) => boolean
  readonly isOwn?: IsOwnPart
}

function notePart(notes: CallNotes, part: Fields, isOwn: IsOwnPart): void {
  const { type } = part
  if (isOwn(part)) return
  if (isUnknownPart(part)) notes.ignored(`part:${String(type)}`, 'unknown')
  else if (typeof type === 'string' && type !== 'text') notes.translated(`part:${type}`)
  const { prompt_cache_breakpoint: mark, image_url: picture } = part
  if (mark != null) notes.ignored('part.prompt_cache_breakpoint', 'no_counterpart')
  if (isRecord(picture) && picture['detail'] != null) notes.ignored('part.detail', 'no_counterpart')
}

function noteMessage(
  notes: CallNotes,
  { role, name, audio, content, reasoning_details: details }: Fields,
  { takesDetails = () => false, isOwn = () => false }: FormatAbilities,
): void {
  if (details != null && !takesDetails(details))
    notes.ignored('message.reasoning_details', 'vendor_only')
  if (name != null && role !== 'tool' && role !== 'function')
    notes.ignored('message.name', 'no_counterpart')
  if (audio != null) notes.ignored('message.audio', 'no_counterpart')
  for (const part of listOf(content)) notePart(notes, part, isOwn)
}

/** Notes the treatment of a chat-completions request sent to an upstream of another format. */
export function noteRequest(
  notes: CallNotes,
  body: Fields,
  rules: FieldRules,
  abilities: FormatAbilities = {},
): void {
  noteFields(notes, body, rules)
  for (const message of listOf(body['messages'])) noteMessage(notes, message, abilities)
}
