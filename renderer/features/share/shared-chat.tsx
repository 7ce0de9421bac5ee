import '../../lib/strings/share.ts'
import { CopyPlus, Link2Off } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Chat } from '#contract/chats.ts'
import { ApiError, toSentence } from '../../api/api-error.ts'
import { call, endpoints } from '../../api/client.ts'
import { formatDay } from '../../lib/format-time.ts'
import { handleLink } from '../../lib/handle-link.ts'
import { chatPath, navigate, toPath } from '../../lib/router.ts'
import { Button } from '../../ui/controls/button.tsx'
import { useReadOnlyArtifacts } from '../../ui/artifacts/read-only-artifacts.tsx'
import { EmptyState } from '../../ui/layout/empty-state.tsx'
import { Logo } from '../../ui/marks/logo.tsx'
import { Markdown } from '../../ui/markdown/markdown.tsx'
import { Spinner } from '../../ui/marks/spinner.tsx'
import { toast } from '../../ui/floating/toast.tsx'
import { readTranscript } from '../../ui/transcript/read-transcript.ts'
import { Transcript } from '../../ui/transcript/transcript.tsx'

type Loaded =
  | { state: 'loading' }
  | { state: 'ready'; chat: Chat }
  | { state: 'failed'; isGone: boolean; problem: string }

function useSharedChat(shareId: string): { loaded: Loaded; reload: () => void } {
  const [loaded, setLoaded] = useState<Loaded>({ state: 'loading' })
  const [attempt, setAttempt] = useState(0)
  useEffect(() => {
    const abort = new AbortController()
    call(
      endpoints.chats.getShared,
      { params: { share_id: shareId } },
      { signal: abort.signal },
    ).then(
      (chat) => setLoaded({ state: 'ready', chat }),
      (thrown: unknown) => {
        if (abort.signal.aborted) return
        const isGone =
          thrown instanceof ApiError && (thrown.status === 404 || thrown.status === 403)
        setLoaded({ state: 'failed', isGone, problem: toSentence(thrown) })
      },
    )
    return () => abort.abort()
  }, [shareId, attempt])
  const reload = (): void => {
    setLoaded({ state: 'loading' })
    setAttempt((count) => count + 1)
  }
  return { loaded, reload }
}

function CloneButton({ shareId }: { shareId: string }) {
  const { t } = useTranslation()
  const [busy, setBusy] = useState(false)
  const clone = async (): Promise<void> => {
    setBusy(true)
    try {
      const copy = await call(endpoints.chats.cloneShared, {
        params: { share_id: shareId },
        query: { reply: 'minimal' },
      })
      navigate(chatPath(copy.id), { from: toPath({ name: 'share', shareId }) })
    } catch (thrown) {
      toast({ tone: 'danger', text: t('share.cloneFailed', { problem: toSentence(thrown) }) })
      setBusy(false)
    }
  }
  return (
    <Button
      tone="primary"
      icon={<CopyPlus className="size-4" />}
      busy={busy}
      onClick={() => void clone()}
    >
      {t('share.clone')}
    </Button>
  )
}

/** Page of a share link: a snapshot of a chat, which can be read or copied. */
export function SharedChat({ shareId, productName }: { shareId: string; productName: string }) {
  const { t } = useTranslation()
  const { loaded, reload } = useSharedChat(shareId)
  const title = loaded.state === 'ready' ? loaded.chat.title : null
  const artifacts = useReadOnlyArtifacts(loaded.state === 'ready' ? loaded.chat : null)
  useEffect(() => {
    document.title = title ? `${title} · ${productName}` : productName
  }, [title, productName])
  return (
    <div className="flex h-full flex-col">
      <header className="flex min-h-header shrink-0 flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-4 py-1.5">
        <a
          href={chatPath(null)}
          onClick={handleLink}
          className="flex h-control items-center gap-2 rounded-medium font-semibold no-underline pointer-coarse:min-h-11"
        >
          <Logo className="size-5.5" />
          {productName}
        </a>
        <span className="min-w-0 flex-1 truncate text-small text-muted">
          <span className="max-sm:hidden">{t('share.readOnly')}</span>
        </span>
        {loaded.state === 'ready' && <CloneButton shareId={shareId} />}
      </header>
      <div className="flex min-h-0 flex-1">
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling box must be reachable by keyboard */}
        <main tabIndex={0} className="min-w-0 flex-1 overflow-y-auto outline-offset-[-2px]">
          {loaded.state === 'loading' && (
            <output className="grid h-full place-items-center text-muted">
              <Spinner />
              <span className="sr-only">{t('common.loading')}</span>
            </output>
          )}
          {loaded.state === 'failed' && (
            <div role="alert" className="grid h-full place-items-center">
              <EmptyState
                icon={<Link2Off />}
                title={loaded.isGone ? t('share.gone') : t('share.failed')}
                action={
                  loaded.isGone ? undefined : <Button onClick={reload}>{t('common.retry')}</Button>
                }
              >
                {loaded.isGone ? t('share.goneHint') : loaded.problem}
              </EmptyState>
            </div>
          )}
          {loaded.state === 'ready' && (
            <Transcript
              title={loaded.chat.title}
              note={t('share.asOf', { day: formatDay(loaded.chat.updated_at) })}
              messages={readTranscript(loaded.chat)}
              person={t('share.person')}
              draw={(text, id) => artifacts.around(id, text, <Markdown text={text} />)}
            />
          )}
        </main>
        {artifacts.panel}
      </div>
    </div>
  )
}
