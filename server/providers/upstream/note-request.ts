import { noteFields, type CallNotes, type FieldRules } from '../../lib/call-notes.ts'
import { isRecord } from '../../lib/is-record.ts'
import { isUnknownPart } from './plain-request.ts'

type Fields = Readonly<Record<string, unknown>>

const listOf = (value: unknown): Fields[] => (Array.isArray(value) ? value.filter(isRecord) : [])

/** Returns true if an upstream accepts reasoning sealed by a provider. */
type TakesDetails = (details: unknown) => boolean

function notePart(notes: CallNotes, part: Fields): void {
  const { type } = part
  if (isUnknownPart(part)) notes.ignored(`part:${String(type)}`, 'unknown')
  else if (typeof type === 'string' && type !== 'text') notes.translated(`part:${type}`)
  const { prompt_cache_breakpoint: mark, image_url: picture } = part
  if (mark != null) notes.ignored('part.prompt_cache_breakpoint', 'no_counterpart')
  if (isRecord(picture) && picture['detail'] != null) notes.ignored('part.detail', 'no_counterpart')
}

function noteMessage(
  notes: CallNotes,
  { role, name, audio, content, reasoning_details: details }: Fields,
  takesDetails: TakesDetails,
): void {
  if (details != null && !takesDetails(details))
    notes.ignored('message.reasoning_details', 'vendor_only')
  if (name != null && role !== 'tool' && role !== 'function')
    notes.ignored('message.name', 'no_counterpart')
  if (audio != null) notes.ignored('message.audio', 'no_counterpart')
  for (const part of listOf(content)) notePart(notes, part)
}

/** Notes the treatment of a chat-completions request sent to an upstream of another format. */
export function noteRequest(
  notes: CallNotes,
  body: Fields,
  rules: FieldRules,
  takesDetails: TakesDetails = () => false,
): void {
  noteFields(notes, body, rules)
  for (const message of listOf(body['messages'])) noteMessage(notes, message, takesDetails)
}
