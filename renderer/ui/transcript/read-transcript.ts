import type { Chat } from '#contract/chats.ts'
import { readSources, toPlace } from '../sources/read-sources.ts'
import type { TranscriptMessage } from './transcript.tsx'

/** Returns the messages of the active branch in transcript form. */
export function readTranscript({ chat }: Pick<Chat, 'chat'>): readonly TranscriptMessage[] {
  return chat.messages
    .filter((message) => message.role === 'user' || message.role === 'assistant')
    .map(({ id, role, content, model, modelName, timestamp, sources = [] }) => ({
      id,
      role,
      author: role === 'assistant' ? modelName || model || '' : '',
      time: timestamp > 0 ? timestamp : null,
      text: content,
      sources: readSources(sources).map(({ name, passages }) => ({
        name,
        place: toPlace(passages),
      })),
    }))
}
