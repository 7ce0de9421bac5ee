import { Upload } from 'lucide-react'
import { type DragEvent, type ReactNode, useRef, useState } from 'react'
import { type FoundFile, fromDrop } from '../../lib/found-files.ts'

interface DropZoneProps {
  /** Text shown while files are dragged over it. */
  readonly label: string
  /** Receives the files, including those in dropped folders. */
  readonly onFiles: (files: readonly FoundFile[]) => void
  /** Called when a folder could not be opened. */
  readonly onProblem: (thrown: unknown) => void
  readonly className?: string
  readonly children: ReactNode
}

const holdsFiles = (event: DragEvent): boolean => event.dataTransfer.types.includes('Files')

/** A drop target for files; there is always a button with the same function beside it. */
export function DropZone({ label, onFiles, onProblem, className, children }: DropZoneProps) {
  const [isOver, setOver] = useState(false)
  // Entering a child is reported before leaving its parent.
  const depth = useRef(0)
  const enter = (event: DragEvent): void => {
    if (!holdsFiles(event)) return
    event.preventDefault()
    depth.current += 1
    setOver(true)
  }
  const leave = (event: DragEvent): void => {
    if (!holdsFiles(event)) return
    depth.current -= 1
    if (depth.current <= 0) end()
  }
  const end = (): void => {
    depth.current = 0
    setOver(false)
  }
  const drop = (event: DragEvent): void => {
    if (!holdsFiles(event)) return
    event.preventDefault()
    end()
    fromDrop(event.dataTransfer).then(onFiles, onProblem)
  }
  const allow = (event: DragEvent): void => {
    if (holdsFiles(event)) event.preventDefault()
  }
  return (
    <div
      onDragEnter={enter}
      onDragLeave={leave}
      onDragOver={allow}
      onDrop={drop}
      className={`relative ${className ?? ''}`}
    >
      {children}
      {isOver && (
        <div className="pointer-events-none absolute -inset-2 z-10 grid place-items-center rounded-large border-2 border-dashed border-accent bg-page/85">
          <p className="flex items-center gap-2 font-medium text-accent-strong dark:text-accent">
            <Upload aria-hidden="true" className="size-5" />
            {label}
          </p>
        </div>
      )}
    </div>
  )
}
