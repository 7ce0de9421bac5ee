import '../../lib/desktop-strings.ts'
import { useTranslation } from 'react-i18next'
import type { ReactNode } from 'react'
import { useStore } from 'zustand'
import type { DeepLink } from '#desktop'
import { isAdmin } from '../../features/auth/session-store.ts'
import { selectChat } from '../../features/chats/chats-store.ts'
import { readLink } from '../../features/desktop/read-link.ts'
import { LinkedServer } from '../../features/tool-servers/linked-server.tsx'
import { chatPath, navigate, workspacePath } from '../../lib/router.ts'
import { Button } from '../../ui/controls/button.tsx'
import { usePageTitle } from '../../ui/layout/use-page-title.ts'
import { chatsStore, sessionStore } from '../stores.ts'

const cancel = (): void => navigate(chatPath(null), { replace: true })

function Decision({ label, onAgree }: { label: string; onAgree: () => void }) {
  const { t } = useTranslation()
  return (
    <div className="flex flex-wrap justify-end gap-2">
      <Button onClick={cancel}>{t('common.cancel')}</Button>
      <Button tone="primary" onClick={onAgree}>
        {label}
      </Button>
    </div>
  )
}

function Quoted({ children }: { children: ReactNode }) {
  return (
    <blockquote
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling box must be reachable by keyboard
      tabIndex={0}
      dir="auto"
      className="max-h-80 overflow-auto rounded-medium border border-line bg-sunken px-3 py-2 text-ui whitespace-pre-wrap wrap-anywhere"
    >
      {children}
    </blockquote>
  )
}

function OpenChat({ chatId }: Extract<DeepLink, { kind: 'chat' }>) {
  const { t } = useTranslation()
  const title = useStore(chatsStore, (state) => selectChat(chatId)(state)?.title)
  return (
    <>
      <Quoted>{title ?? chatId}</Quoted>
      <Decision
        label={t('desktopApp.link.chat.agree')}
        onAgree={() => navigate(chatPath(chatId), { replace: true })}
      />
    </>
  )
}

function AskQuestion({ text, model }: Extract<DeepLink, { kind: 'ask' }>) {
  const { t } = useTranslation()
  const begin = (): void => {
    const query = new URLSearchParams({ q: text, submit: 'false', ...(model && { model }) })
    navigate(`${chatPath(null)}?${query.toString()}`, { replace: true })
  }
  return (
    <>
      <Quoted>{text}</Quoted>
      {model && (
        <p className="text-small text-muted">{t('desktopApp.link.ask.model', { model })}</p>
      )}
      <Decision label={t('desktopApp.link.ask.agree')} onAgree={begin} />
    </>
  )
}

function AddServer({ name, config }: Extract<DeepLink, { kind: 'tool-server' }>) {
  const { t } = useTranslation()
  const admin = useStore(sessionStore, isAdmin)
  if (!admin) {
    return (
      <>
        <p className="text-ui">{t('desktopApp.link.tool-server.notAllowed')}</p>
        <Decision label={t('desktopApp.link.close')} onAgree={cancel} />
      </>
    )
  }
  const openServers = (): void => navigate(workspacePath('tools'), { replace: true })
  return (
    <>
      {config.command !== undefined && (
        <p className="rounded-medium bg-warning-soft px-3 py-2 text-ui">
          {t('desktopApp.link.tool-server.runs')}
        </p>
      )}
      <LinkedServer name={name} config={config} onAdded={openServers} onCancel={cancel} />
    </>
  )
}

function Refused({ reason }: Extract<DeepLink, { kind: 'refused' }>) {
  const { t } = useTranslation()
  return (
    <>
      <p className="text-ui">{t(`desktopApp.link.refused.${reason}`)}</p>
      <div className="flex justify-end">
        <Button tone="primary" onClick={cancel}>
          {t('desktopApp.link.close')}
        </Button>
      </div>
    </>
  )
}

function Body({ link }: { link: DeepLink }) {
  if (link.kind === 'chat') return <OpenChat {...link} />
  if (link.kind === 'ask') return <AskQuestion {...link} />
  if (link.kind === 'tool-server') return <AddServer {...link} />
  return <Refused {...link} />
}

/** Shows the request of an external link, and performs it only when the user confirms. */
export function LinkScreen({ asked }: { asked: string }) {
  const { t } = useTranslation()
  const link = readLink(asked)
  const title = t(`desktopApp.link.${link.kind}.title`)
  usePageTitle(title)
  return (
    <div className="min-h-0 flex-1 overflow-y-auto px-4 py-10 sm:px-6">
      <section className="mx-auto flex max-w-xl flex-col gap-4">
        <div>
          <h1 className="text-head-2 font-semibold">{title}</h1>
          <p className="mt-1 text-ui text-pretty text-muted">{t('desktopApp.link.from')}</p>
        </div>
        <p className="text-ui text-pretty">{t(`desktopApp.link.${link.kind}.text`)}</p>
        <Body link={link} />
      </section>
    </div>
  )
}
