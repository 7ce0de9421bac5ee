import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import './transcript.css'
import { formatLocale } from '../../lib/i18n.ts'

export interface TranscriptMessage {
  readonly id: string
  readonly role: string
  /** Author; for a model its name. */
  readonly author: string
  /** Unix seconds. */
  readonly time: number | null
  readonly text: string
  /** Sources, in the order of the numbers in the text. */
  readonly sources?: readonly { readonly name: string; readonly place: string | null }[]
}

interface TranscriptProps {
  readonly title: string
  /** Text below the title. */
  readonly note?: ReactNode
  readonly messages: readonly TranscriptMessage[]
  /** Name of the user who asked. */
  readonly person: string
  /** Renders the text of a model. */
  readonly draw: (text: string, messageId: string) => ReactNode
}

function SourceNames({ sources }: { sources: NonNullable<TranscriptMessage['sources']> }) {
  const { t } = useTranslation()
  return (
    <div className="transcript-sources">
      <h3>{t('chat.sources.list')}</h3>
      <ol>
        {sources.map(({ name, place }, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- the number of a source is its index
          <li key={index}>
            <bdi>{name}</bdi>
            {place && ` · ${place}`}
          </li>
        ))}
      </ol>
    </div>
  )
}

/** A read-only conversation: on the page of a share link, in print and in a file. */
export function Transcript({ title, note, messages, person, draw }: TranscriptProps) {
  const { t } = useTranslation()
  const toTime = (seconds: number): string =>
    new Intl.DateTimeFormat(formatLocale(), { dateStyle: 'medium', timeStyle: 'short' }).format(
      new Date(seconds * 1000),
    )
  return (
    <article className="transcript">
      <header>
        <h1 dir="auto">{title || t('chats.untitled')}</h1>
        {note && <p className="transcript-note">{note}</p>}
      </header>
      {messages.map((message) => (
        <section key={message.id} data-role={message.role}>
          <h2>
            <bdi>
              {message.role === 'user' ? person : message.author || t('chats.transcript.model')}
            </bdi>
            {message.time !== null && (
              <time dateTime={new Date(message.time * 1000).toISOString()}>
                {toTime(message.time)}
              </time>
            )}
          </h2>
          {message.role === 'user' ? (
            <p className="transcript-written" dir="auto">
              {message.text}
            </p>
          ) : (
            draw(message.text, message.id)
          )}
          {message.sources && message.sources.length > 0 && (
            <SourceNames sources={message.sources} />
          )}
        </section>
      ))}
      {messages.length === 0 && <p className="transcript-note">{t('chats.transcript.empty')}</p>}
    </article>
  )
}
