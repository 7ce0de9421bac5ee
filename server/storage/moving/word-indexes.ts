import { toBoundedIndexText } from '../../lib/text/index-text.ts'
import { runAtOnce } from '../../lib/turns.ts'
import { toIndexText, toOwnerWord } from '../../lib/text/words.ts'
import type { Row, Value } from './end.ts'

/** A word index, and the function that derives it from its source rows. */
export interface WordIndex {
  readonly index: string
  readonly columns: readonly string[]
  /** Query for the number and the input of `toWords`. */
  readonly query: string
  readonly toWords: (values: Row) => Row
}

const toText = (text: Value): string => runAtOnce(toBoundedIndexText(String(text ?? '')))
const byOwner = ([seq, owner, text]: Row): Row => [seq!, toOwnerWord(String(owner)), toText(text!)]

/** Returns the indexed text of a note's stored fields. */
function textOfNote(data: string): string {
  const { content } = JSON.parse(data) as { content?: { md?: string } | null }
  return content?.md ?? ''
}

/** All word indexes, with the words as their modules write them. */
export const WORD_INDEXES: readonly WordIndex[] = [
  {
    index: 'chat_search',
    columns: ['owner', 'content'],
    query: 'select seq, user_id, title from chat',
    toWords: byOwner,
  },
  {
    index: 'message_search',
    columns: ['owner', 'content'],
    query:
      "select m.seq, c.user_id, m.content from message m join chat c on c.id = m.chat_id where trim(m.content) <> ''",
    toWords: byOwner,
  },
  {
    index: 'memory_search',
    columns: ['owner', 'content'],
    query: 'select seq, user_id, content from memory',
    toWords: byOwner,
  },
  {
    index: 'channel_message_search',
    columns: ['place', 'content'],
    query: 'select seq, channel_id, content from channel_message',
    toWords: byOwner,
  },
  {
    index: 'note_search',
    columns: ['title', 'content'],
    query: 'select seq, title, data from note',
    toWords: ([seq, title, data]) => [
      seq!,
      toIndexText(String(title)),
      toText(textOfNote(String(data))),
    ],
  },
]
