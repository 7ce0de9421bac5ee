import { ChevronRight, CircleAlert, RotateCw } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { classNames } from '../../lib/class-names.ts'
import { runCommand } from '../../lib/commands.ts'
import { explainFault, languageOfSentence } from '../../lib/explain-fault.ts'
import { navigate, toPath } from '../../lib/router.ts'
import { Button } from '../../ui/button.tsx'
import { useChat, useChatView } from './chat-context.ts'
import { ContinueButton } from './continue-button.tsx'
import type { ChatMessage } from './chat-store.ts'
import { RetryTime } from './retry-time.tsx'
import { shorten } from './shorter-context.ts'

type Failure = NonNullable<ChatMessage['error']>

/** Failures that are mended where the connection is set up. */
const CONNECTION_CODES: ReadonlySet<unknown> = new Set([
  'upstream_refused_key',
  'upstream_refused_connection',
  'upstream_unknown_host',
  'upstream_connect_timeout',
  'upstream_certificate',
  'upstream_not_an_api',
  'upstream_proxy',
  'upstream_redirect',
  'upstream_circuit_open',
  'upstream_unavailable',
])

/** The conversation is longer than the model can read, as providers of every kind are told apart. */
const isTooLong = ({ provider_code: said, code }: Failure): boolean =>
  [said, code].includes('context_length_exceeded')

const openConnections = (): void => navigate(toPath({ name: 'settings', page: 'connections' }))

interface DetailsProps {
  readonly error: Failure
  readonly model: string | undefined
  /** What is shown of it already. */
  readonly sentence: string
}

function Details({ error, model, sentence }: DetailsProps) {
  const { t } = useTranslation()
  const rows = [
    [t('chat.error.status'), error['provider_status'] ?? error.status],
    [t('chat.error.code'), error.code],
    [t('chat.error.request'), error.request_id],
    [t('chat.error.model'), model],
    [t('chat.error.said'), error.content === sentence ? null : error.content],
  ].filter(([, value]) => typeof value === 'string' || typeof value === 'number')
  if (rows.length === 0) return null
  return (
    <details className="group/details text-small text-muted">
      <summary className="flex w-fit list-none items-center gap-1 rounded-small py-1 hover:text-ink [&::-webkit-details-marker]:hidden">
        <ChevronRight
          aria-hidden="true"
          className="size-3.5 transition-transform group-open/details:rotate-90 rtl:-scale-x-100"
        />
        {t('chat.error.details')}
      </summary>
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-0.5 pt-1">
        {rows.map(([name, value]) => (
          <div key={String(name)} className="contents">
            <dt>{String(name)}</dt>
            <dd dir="auto" className="font-mono wrap-anywhere">
              {String(value)}
            </dd>
          </div>
        ))}
      </dl>
    </details>
  )
}

/** An answer that is there as far as it goes. */
const EarlyEnd = ({ text, children }: { text: string; children: ReactNode }) => (
  <div className="mt-3 flex flex-wrap items-center gap-x-3 gap-y-2 text-small text-muted">
    <p>{text}</p>
    {children}
  </div>
)

/** What to try next: again as it was, or with less to read where the model could not read it all. */
function WaysOn({ message, isTooLong }: { message: ChatMessage; isTooLong: boolean }) {
  const { t } = useTranslation()
  const { retry, retryShorter, model } = useChatView()
  const canShorten = useChat((state) => isTooLong && shorten(state, message.id) !== null)
  const again = canShorten ? retryShorter : retry
  return (
    <>
      <Button
        icon={<RotateCw aria-hidden="true" className="size-3.5" />}
        disabled={!model}
        onClick={() => again(message.id)}
      >
        {t(canShorten ? 'chat.error.retryShorter' : 'chat.error.retry')}
      </Button>
      <Button tone="quiet" onClick={() => runCommand('model.choose')}>
        {t(isTooLong ? 'chat.error.largerModel' : 'chat.error.changeModel')}
      </Button>
    </>
  )
}

/** Why an answer is missing or broke off, in the answer's place, with the ways on. */
export function MessageError({ message, isLast }: { message: ChatMessage; isLast: boolean }) {
  const { t } = useTranslation()
  const { mayConnect } = useChatView()
  const { error } = message
  const next = <ContinueButton message={message} isLast={isLast} />
  if (!error && message.finish_reason === 'length')
    return <EarlyEnd text={t('chat.continue.tooLong')}>{next}</EarlyEnd>
  if (!error) return null
  if (error.code === 'stopped')
    return (
      <EarlyEnd text={t(message.content ? 'chat.error.stopped' : 'chat.error.stoppedAtOnce')}>
        {next}
      </EarlyEnd>
    )
  const sentence = explainFault({
    detail: error.content,
    code: typeof error.code === 'string' ? error.code : null,
  })
  const isOfConnection = CONNECTION_CODES.has(error.code)
  return (
    <div
      className="mt-3 flex flex-col gap-2.5 rounded-medium border border-danger/25 bg-danger-soft/45 p-4 text-ui first:mt-0"
      data-message-error=""
    >
      <p className="flex items-center gap-2 font-medium text-danger">
        <CircleAlert aria-hidden="true" className="size-4 shrink-0" />
        {message.content ? t('chat.error.titlePartial') : t('chat.error.title')}
      </p>
      {isTooLong(error) && <p>{t('chat.error.tooLong')}</p>}
      <p
        className={classNames('wrap-anywhere', isTooLong(error) && 'text-muted')}
        dir="auto"
        lang={languageOfSentence(sentence)}
      >
        {sentence}
      </p>
      {isOfConnection && !mayConnect && (
        <p className="text-muted">{t('chat.error.askAdministrator')}</p>
      )}
      <RetryTime key={message.id} error={error} />
      <div className="flex flex-wrap items-center gap-2">
        {next}
        <WaysOn message={message} isTooLong={isTooLong(error)} />
        {isOfConnection && mayConnect && (
          <Button tone="quiet" onClick={openConnections}>
            {t('chat.error.checkConnection')}
          </Button>
        )}
      </div>
      <Details error={error} model={message.model} sentence={sentence} />
    </div>
  )
}
