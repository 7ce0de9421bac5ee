import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { announce } from '../../ui/layout/live-region.tsx'
import { toPlainText } from './mentions.ts'
import { useRoom, useRoomState } from './room-view.ts'
import type { Room } from './room.ts'
import { authorName, isAnswer, isGrowing, isWrittenBy, type ShownMessage } from './shown-message.ts'
import type { Timeline } from './timeline.ts'

const LONGEST = 300

/**
 * Announces others' messages to screen readers while they are on screen: a message once, an answer
 * when it is complete.
 */
function useTelling(timeline: Timeline | null): void {
  const { t } = useTranslation()
  const { me } = useRoom()
  useEffect(() => {
    if (!timeline) return
    const tell = (message: ShownMessage): void => {
      const text = toPlainText(message.content).slice(0, LONGEST)
      announce(t('channels.announce.message', { name: authorName(message), text }))
    }
    return timeline.store.subscribe((state, before) => {
      if (
        state.status !== 'ready' ||
        before.status !== 'ready' ||
        state.messages === before.messages
      )
        return
      const last = state.messages.at(-1)
      const known = before.messages.find(({ id }) => id === last?.id)
      // Older pages are inserted above; new messages are last.
      if (!last || last.sending || isWrittenBy(last, me.id)) return
      if (!known && state.arrived > before.arrived && !isAnswer(last)) tell(last)
      if (known && isGrowing(known) && !isGrowing(last)) tell(last)
    })
  }, [timeline, me.id, t])
}

export function useAnnouncements(room: Room): void {
  useTelling(room.timeline)
  useTelling(useRoomState((state) => state.thread))
}
