import { SearchX } from 'lucide-react'
import { Fragment, type ReactNode, useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import { call, endpoints } from '../../../api/client.ts'
import { formatDay, formatMoment } from '../../../lib/format-time.ts'
import { EmptyState } from '../../../ui/layout/empty-state.tsx'
import { FormProblem } from '../../../ui/dialogs/form-problem.tsx'
import { Markdown } from '../../../ui/markdown/markdown.tsx'
import { PageWait } from '../../../ui/layout/page-wait.tsx'
import { readTranscript } from '../../../ui/transcript/read-transcript.ts'
import { Transcript } from '../../../ui/transcript/transcript.tsx'
import type { PastPlace, ReadKind } from './past-places.ts'
import { useRead } from './use-read.ts'

const NANOSECONDS = 1e9

const drawMarkdown = (text: string): ReactNode => <Markdown text={text} />

/** Renders the result of a read, or the reason it failed. */
function useDrawn<Value>(
  read: (signal: AbortSignal) => Promise<Value>,
  draw: (value: Value) => ReactNode,
): ReactNode {
  const { t } = useTranslation()
  const found = useRead(read)
  if (found.state === 'ready') return draw(found.value)
  if (found.state === 'loading') return <PageWait shape="lines" />
  if (!found.isMissing) return <FormProblem text={found.problem} />
  return <EmptyState icon={<SearchX />} title={t('timeMachine.view.missing')} />
}

interface ThingProps {
  readonly id: string
}

function PastChat({ id }: ThingProps) {
  const { t } = useTranslation()
  const read = useCallback(
    (signal: AbortSignal) => call(endpoints.chats.get, { params: { chat_id: id } }, { signal }),
    [id],
  )
  return useDrawn(read, (chat) => {
    const { messages } = chat.chat.history
    const isBranched = Object.values(messages).some(
      ({ childrenIds }) => (childrenIds?.length ?? 0) > 1,
    )
    return (
      <Transcript
        title={chat.title}
        note={isBranched && t('timeMachine.view.branch')}
        messages={readTranscript(chat)}
        person={t('timeMachine.you')}
        draw={drawMarkdown}
      />
    )
  })
}

/** A title above Markdown text. */
function PastText({ title, note, text }: { title: string; note?: ReactNode; text: string }) {
  const { t } = useTranslation()
  return (
    <article className="flex flex-col gap-3">
      <h1 dir="auto" className="text-head-1 font-semibold">
        {title || t('chats.untitled')}
      </h1>
      {note && <p className="text-small text-muted">{note}</p>}
      <Markdown text={text} />
    </article>
  )
}

function PastNote({ id }: ThingProps) {
  const read = useCallback(
    (signal: AbortSignal) => call(endpoints.notes.get, { params: { note_id: id } }, { signal }),
    [id],
  )
  return useDrawn(read, ({ title, data }) => (
    <PastText title={title} text={data.content?.md ?? ''} />
  ))
}

function PastPrompt({ id }: ThingProps) {
  const read = useCallback(
    (signal: AbortSignal) => call(endpoints.prompts.get, { params: { prompt_id: id } }, { signal }),
    [id],
  )
  return useDrawn(read, ({ name, command, content }) => (
    <article className="flex flex-col gap-3">
      <h1 dir="auto" className="text-head-1 font-semibold">
        {name}
      </h1>
      <p className="text-small text-muted">
        <bdi>{`/${command.replace(/^\//, '')}`}</bdi>
      </p>
      <pre
        dir="auto"
        className="rounded-medium bg-sunken p-3 text-ui wrap-anywhere whitespace-pre-wrap"
      >
        {content}
      </pre>
    </article>
  ))
}

function PastSkill({ id }: ThingProps) {
  const { t } = useTranslation()
  const read = useCallback(
    (signal: AbortSignal) => call(endpoints.skills.get, { params: { skill_id: id } }, { signal }),
    [id],
  )
  return useDrawn(read, ({ name, content, files }) => (
    <PastText
      title={name}
      note={files.length > 0 && t('timeMachine.view.files', { count: files.length })}
      text={content}
    />
  ))
}

/** An event as a card: its time, place, rule and text. */
function PastEvent({ id }: ThingProps) {
  const { t } = useTranslation()
  const read = useCallback(
    (signal: AbortSignal) =>
      call(endpoints.calendars.getEvent, { params: { event_id: id } }, { signal }),
    [id],
  )
  return useDrawn(read, ({ title, description, location, rrule, ...event }) => {
    const format = event.all_day ? formatDay : formatMoment
    const end = event.end_at !== null && event.end_at > event.start_at ? event.end_at : null
    const facts = [
      [t('timeMachine.view.event.start'), format(event.start_at / NANOSECONDS)],
      // The last day of an all-day event is the one before its end.
      [
        t('timeMachine.view.event.end'),
        end !== null && format((end - (event.all_day ? 1e6 : 0)) / NANOSECONDS),
      ],
      [t('timeMachine.view.event.place'), location],
      [t('timeMachine.view.event.rule'), rrule],
    ].filter((fact): fact is [string, string] => typeof fact[1] === 'string' && fact[1] !== '')
    return (
      <article className="flex flex-col gap-3">
        <h1 dir="auto" className="text-head-1 font-semibold">
          {title || t('chats.untitled')}
        </h1>
        <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-ui">
          {facts.map(([name, value]) => (
            <Fragment key={name}>
              <dt className="text-muted">{name}</dt>
              <dd dir="auto" className="wrap-anywhere">
                {value}
              </dd>
            </Fragment>
          ))}
        </dl>
        {description && (
          <p dir="auto" className="wrap-anywhere whitespace-pre-wrap">
            {description}
          </p>
        )}
      </article>
    )
  })
}

const DRAWN: Readonly<Record<ReadKind, (props: ThingProps) => ReactNode>> = {
  chat: PastChat,
  note: PastNote,
  prompt: PastPrompt,
  skill: PastSkill,
  event: PastEvent,
}

/** One item as stored in a snapshot. */
export function PastThing({ place: { kind, id } }: { place: PastPlace }) {
  const Thing = DRAWN[kind]
  return <Thing key={id} id={id} />
}
