import { Play } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { EndpointOutput } from '#contract/endpoint.ts'
import type { RequestDetail } from '#contract/requests.ts'
import { call, endpoints } from '../../api/client.ts'
import { useAction } from '../../api/use-action.ts'
import { useLoaded } from '../../api/use-loaded.ts'
import { formatBytes } from '../../lib/format-size.ts'
import { Button } from '../../ui/controls/button.tsx'
import { Dialog } from '../../ui/dialogs/dialog.tsx'
import { FormProblem } from '../../ui/dialogs/form-problem.tsx'
import { Select } from '../../ui/controls/select.tsx'
import { PageWait } from '../../ui/layout/page-wait.tsx'
import { CallNotes } from './call-notes.tsx'
import { CodeBox } from './code-box.tsx'
import { formatClock, formatDuration, prettyJson } from './format-call.ts'
import { StatusBadge } from './status-badge.tsx'

/** A model that a call can be sent to. */
export interface ReplayModel {
  readonly id: string
  readonly name: string
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  if (children === null || children === '') return null
  return (
    <div className="min-w-0">
      <dt className="text-small text-muted">{name}</dt>
      <dd className="wrap-anywhere">
        <bdi>{children}</bdi>
      </dd>
    </div>
  )
}

function Facts({ detail }: { detail: RequestDetail }) {
  const { t } = useTranslation()
  const { usage, user, first_byte_milliseconds: first } = detail
  return (
    <dl className="grid grid-cols-2 gap-x-6 gap-y-3 sm:grid-cols-3">
      <Fact name={t('admin.requests.status')}>
        <StatusBadge status={detail.status} />
      </Fact>
      <Fact name={t('admin.requests.providerStatus')}>
        {detail.provider_status === null ? null : <StatusBadge status={detail.provider_status} />}
      </Fact>
      <Fact name={t('admin.requests.time')}>{formatClock(detail.time)}</Fact>
      <Fact name={t('admin.requests.took')}>{formatDuration(detail.milliseconds)}</Fact>
      <Fact name={t('admin.requests.firstByte')}>
        {first === null ? null : formatDuration(first)}
      </Fact>
      <Fact name={t('admin.requests.size')}>
        {t('admin.requests.sizes', {
          sent: formatBytes(detail.bytes_in),
          answered: formatBytes(detail.bytes_out),
        })}
      </Fact>
      <Fact name={t('admin.requests.person')}>{user?.name ?? t('admin.requests.nobody')}</Fact>
      <Fact name={t('admin.requests.credential')}>{detail.key_name ?? detail.credential}</Fact>
      <Fact name={t('admin.requests.program')}>{detail.program}</Fact>
      <Fact name={t('admin.requests.model')}>{detail.model}</Fact>
      <Fact name={t('admin.requests.tokens')}>
        {usage &&
          t('admin.requests.tokenCounts', {
            prompt: usage.prompt_tokens ?? '–',
            completion: usage.completion_tokens ?? '–',
          })}
      </Fact>
      <Fact name={t('admin.requests.endpoint')}>{detail.endpoint}</Fact>
      <Fact name={t('admin.requests.id')}>{detail.id}</Fact>
    </dl>
  )
}

type Replayed = EndpointOutput<typeof endpoints.requests.replay>

interface ContentProps {
  readonly detail: RequestDetail
  readonly models: readonly ReplayModel[]
  /** Enables storing of bodies; null if it is already enabled. */
  readonly onKeepBodies: (() => void) | null
}

/** Reason a call cannot be replayed, and the setting that enables it for later calls. */
function NoReplay({ detail, onKeepBodies }: Omit<ContentProps, 'models'>) {
  const { t } = useTranslation()
  if (detail.has_bodies || detail.method !== 'POST')
    return <p className="text-small text-muted">{t('admin.requests.cannotReplay')}</p>
  return (
    <div className="flex flex-wrap items-center justify-between gap-2 rounded-medium bg-hover px-3 py-2">
      <p className="min-w-0 flex-1 basis-56 text-small">
        {t(onKeepBodies ? 'admin.requests.replayNeedsBodies' : 'admin.requests.replayFromNow')}
      </p>
      {onKeepBodies && <Button onClick={onKeepBodies}>{t('admin.requests.keepBodies')}</Button>}
    </div>
  )
}

function Replay({ detail, models, onKeepBodies }: ContentProps) {
  const { t } = useTranslation()
  const [model, setModel] = useState('')
  const [result, setResult] = useState<Replayed | null>(null)
  const { busy, problem, handleSubmit } = useAction(async () => {
    const body = model ? { model } : {}
    setResult(await call(endpoints.requests.replay, { params: { request_id: detail.id }, body }))
  })
  if (!detail.can_replay) return <NoReplay detail={detail} onKeepBodies={onKeepBodies} />
  return (
    <div className="flex flex-col gap-3">
      <form onSubmit={handleSubmit} className="flex flex-wrap items-end gap-2">
        {detail.model !== null && (
          <div className="min-w-0 flex-1 basis-56">
            <Select
              label={t('admin.requests.replayOn')}
              value={model}
              onChange={setModel}
              options={[
                { value: '', label: t('admin.requests.sameModel', { model: detail.model }) },
                ...models.map(({ id, name }) => ({ value: id, label: name })),
              ]}
            />
          </div>
        )}
        <Button type="submit" busy={busy} icon={<Play className="size-4" />} className="h-primary">
          {t('admin.requests.replay')}
        </Button>
      </form>
      <FormProblem text={problem} />
      {result && (
        <>
          <p className="flex items-center gap-2 text-small text-muted">
            <StatusBadge status={result.status} />
            {formatDuration(result.milliseconds)}
            {result.truncated && ` · ${t('admin.requests.truncated')}`}
          </p>
          <CodeBox label={t('admin.requests.replayAnswer')} text={prettyJson(result.body)} />
        </>
      )}
    </div>
  )
}

function Content({ detail, models, onKeepBodies }: ContentProps) {
  const { t } = useTranslation()
  return (
    <div className="flex flex-col gap-5">
      {detail.error && (
        <p className="rounded-medium bg-danger-soft px-3 py-2 text-danger">{detail.error}</p>
      )}
      <Facts detail={detail} />
      {detail.request_body !== null && (
        <CodeBox label={t('admin.requests.requestBody')} text={prettyJson(detail.request_body)} />
      )}
      <CallNotes detail={detail} />
      {detail.response_body !== null && (
        <CodeBox label={t('admin.requests.responseBody')} text={prettyJson(detail.response_body)} />
      )}
      {!detail.has_bodies && (
        <p className="text-small text-muted">{t('admin.requests.noBodies')}</p>
      )}
      <CodeBox label={t('admin.requests.curl')} text={detail.curl} />
      <Replay detail={detail} models={models} onKeepBodies={onKeepBodies} />
    </div>
  )
}

interface RequestDialogProps {
  readonly id: string
  readonly title: string
  readonly models: readonly ReplayModel[]
  readonly onKeepBodies: (() => void) | null
  readonly onClose: () => void
}

/** All details of one call, with actions to copy and replay it. */
export function RequestDialog({ id, title, models, onKeepBodies, onClose }: RequestDialogProps) {
  const { value: detail, problem } = useLoaded(
    () => call(endpoints.requests.get, { params: { request_id: id } }),
    [id],
  )
  return (
    <Dialog onClose={onClose} title={title} wide>
      <FormProblem text={problem} />
      {!detail && !problem && <PageWait shape="facts" />}
      {detail && <Content detail={detail} models={models} onKeepBodies={onKeepBodies} />}
    </Dialog>
  )
}
