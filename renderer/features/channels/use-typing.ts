import { useCallback, useEffect, useRef } from 'react'
import { socket } from '../../api/socket.ts'

/**
 * Interval in ms at which typing is repeated, since others forget it otherwise; the gateway
 * forwards at most one event a second.
 */
const SAY_EVERY = 1_500

/**
 * Returns a function that notifies the others in a channel periodically that the user is typing,
 * and when they stop.
 */
export function useTyping(channelId: string, parentId: string | null): (isTyping: boolean) => void {
  const saidAt = useRef(0)
  const say = useCallback(
    (isTyping: boolean) => {
      if (!isTyping && saidAt.current === 0) return
      if (isTyping && Date.now() - saidAt.current < SAY_EVERY) return
      saidAt.current = isTyping ? Date.now() : 0
      socket.send({
        type: 'channel',
        channel_id: channelId,
        data: { type: 'typing', data: { typing: isTyping }, message_id: parentId },
      })
    },
    [channelId, parentId],
  )
  useEffect(() => () => say(false), [say])
  return say
}
