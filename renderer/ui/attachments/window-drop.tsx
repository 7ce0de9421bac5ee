import { Paperclip } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { DragOver } from '../../lib/drag-over.ts'

/**
 * Accepts files dropped anywhere on the window; a more specific drop target, such as a list of
 * files, takes precedence.
 */
export function WindowDrop({ onFiles }: { onFiles: (files: readonly File[]) => void }) {
  const { t } = useTranslation()
  const [isOver, setOver] = useState(false)
  const take = useRef(onFiles)
  useEffect(() => {
    take.current = onFiles
  }, [onFiles])
  useEffect(() => {
    const drag = new DragOver(setOver)
    const drop = (event: DragEvent): void => {
      const isTaken = event.defaultPrevented
      if (drag.drop(event) && !isTaken) take.current([...event.dataTransfer!.files])
    }
    const abort = new AbortController()
    const options = { signal: abort.signal }
    window.addEventListener('dragenter', (event) => drag.enter(event), options)
    window.addEventListener('dragleave', (event) => drag.leave(event), options)
    window.addEventListener('dragover', (event) => drag.allow(event), options)
    window.addEventListener('drop', drop, options)
    return () => abort.abort()
  }, [])
  if (!isOver) return null
  return (
    <div className="pointer-events-none fixed inset-0 z-50 grid place-items-center bg-page/85">
      <p className="flex items-center gap-3 rounded-large border-2 border-dashed border-accent px-10 py-8 text-head-2 font-semibold text-accent-strong dark:text-accent">
        <Paperclip className="size-6" />
        {t('chat.attachments.drop')}
      </p>
    </div>
  )
}
