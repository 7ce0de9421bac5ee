import { Paperclip } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'

const holdsFiles = (event: DragEvent): boolean =>
  event.dataTransfer?.types.includes('Files') === true

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
    let depth = 0
    const end = (): void => {
      depth = 0
      setOver(false)
    }
    const enter = (event: DragEvent): void => {
      if (!holdsFiles(event)) return
      event.preventDefault()
      depth += 1
      setOver(true)
    }
    const leave = (event: DragEvent): void => {
      if (!holdsFiles(event)) return
      depth -= 1
      if (depth <= 0) end()
    }
    const allow = (event: DragEvent): void => {
      if (holdsFiles(event)) event.preventDefault()
    }
    const drop = (event: DragEvent): void => {
      if (!holdsFiles(event)) return
      const isTaken = event.defaultPrevented
      event.preventDefault()
      end()
      if (!isTaken) take.current([...event.dataTransfer!.files])
    }
    const abort = new AbortController()
    const options = { signal: abort.signal }
    window.addEventListener('dragenter', enter, options)
    window.addEventListener('dragleave', leave, options)
    window.addEventListener('dragover', allow, options)
    window.addEventListener('drop', drop, options)
    return () => abort.abort()
  }, [])
  if (!isOver) return null
  return (
    <div className="pointer-events-none fixed inset-0 z-50 grid place-items-center bg-page/85">
      <p className="flex items-center gap-3 rounded-large border-2 border-dashed border-accent px-10 py-8 text-head-2 font-semibold text-accent-strong dark:text-accent">
        <Paperclip aria-hidden="true" className="size-6" />
        {t('chat.attachments.drop')}
      </p>
    </div>
  )
}
