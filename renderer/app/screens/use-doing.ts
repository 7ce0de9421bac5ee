import { useTranslation } from 'react-i18next'
import type { ChatListItem } from '#contract/chats.ts'
import { eachLimited } from '../../lib/each-limited.ts'
import { toast } from '../../ui/floating/toast.tsx'
import { tellFailures } from '../../ui/floating/tell-failure.ts'

export type Chats = readonly ChatListItem[]

export interface Doing {
  readonly failure: Parameters<typeof tellFailures>[0]
  readonly act: (chat: ChatListItem) => Promise<unknown>
  /** Undoes the action for one chat; if missing, it cannot be undone. */
  readonly undo?: (chat: ChatListItem) => Promise<unknown>
  readonly toText: (title: string) => string
}

/** Performs an action on chats, shows a notice and offers to undo it. */
export function useDoing(onUndone: () => void): (doing: Doing) => (chats: Chats) => Promise<Chats> {
  const { t } = useTranslation()
  return ({ failure, act, undo, toText }) =>
    async (chats) => {
      const failures = await eachLimited(chats, act)
      tellFailures(failure, failures)
      const done = chats.filter((chat) => !failures.some(({ item }) => item.id === chat.id))
      const title =
        done.length === 1
          ? done[0]?.title || t('chats.untitled')
          : t('chats.countOf', { count: done.length })
      const takeBack = async (): Promise<void> => {
        if (undo) tellFailures(failure, await eachLimited(done, undo))
        onUndone()
      }
      const action = undo && { label: t('common.undo'), onSelect: () => void takeBack() }
      if (done.length > 0) toast({ text: toText(title), action })
      return done
    }
}
