import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import './transcript.css'

export interface TranscriptMessage {
  readonly id: string
  readonly role: string
  /** Who wrote it; for a model its name. */
  readonly author: string
  /** Unix seconds. */
  readonly time: number | null
  readonly text: string
}

interface TranscriptProps {
  readonly title: string
  /** A line under the title. */
  readonly note?: ReactNode
  readonly messages: readonly TranscriptMessage[]
  /** What the person is called who asked. */
  readonly person: string
  /** How the text of a model is drawn. */
  readonly draw: (text: string) => ReactNode
}

/** A conversation to be read only: on the page of a share link, on paper and in a file. */
export function Transcript({ title, note, messages, person, draw }: TranscriptProps) {
  const { t, i18n } = useTranslation()
  const toTime = (seconds: number): string =>
    new Intl.DateTimeFormat(i18n.language, { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(seconds * 1000))
  return (
    <article className="transcript">
      <header>
        <h1 dir="auto">{title || t('chats.untitled')}</h1>
        {note && <p className="transcript-note">{note}</p>}
      </header>
      {messages.map((message) => (
        <section key={message.id} data-role={message.role}>
          <h2>
            <bdi>{message.role === 'user' ? person : message.author || t('chats.transcript.model')}</bdi>
            {message.time !== null && <time dateTime={new Date(message.time * 1000).toISOString()}>{toTime(message.time)}</time>}
          </h2>
          {message.role === 'user' ? (
            <p className="transcript-written" dir="auto">
              {message.text}
            </p>
          ) : (
            draw(message.text)
          )}
        </section>
      ))}
      {messages.length === 0 && <p className="transcript-note">{t('chats.transcript.empty')}</p>}
    </article>
  )
}
