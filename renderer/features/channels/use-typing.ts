import { useCallback, useEffect, useRef } from 'react'
import { socket } from '../../api/socket.ts'

/**
 * Others forget somebody who does not say so again; more than one word a second is not passed on.
 */
const SAY_EVERY = 1_500

/** Tells the others in a channel that one types, now and then, and that one has stopped. */
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
