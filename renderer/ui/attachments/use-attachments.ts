import { useEffect, useMemo } from 'react'
import { socket } from '../../api/socket.ts'
import { type Attachments, attachmentsOf } from './attachments-store.ts'

/**
 * Returns the attachments of the message being written, kept up to date with the gateway's
 * processing.
 */
export function useAttachments(chatId: string | null): Attachments {
  const attachments = useMemo(() => attachmentsOf(chatId), [chatId])
  useEffect(() => {
    void attachments.refresh()
    const ends = [
      socket.onFrame((frame) => attachments.handleFrame(frame)),
      socket.onReconnected(() => void attachments.refresh()),
    ]
    return () => {
      for (const end of ends) end()
    }
  }, [attachments])
  return attachments
}
