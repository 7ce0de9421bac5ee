import { Upload } from 'lucide-react'
import { type DragEvent, type ReactNode, useState } from 'react'
import { DragOver } from '../../lib/drag-over.ts'
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

/** A drop target for files; there is always a button with the same function beside it. */
export function DropZone({ label, onFiles, onProblem, className, children }: DropZoneProps) {
  const [isOver, setOver] = useState(false)
  const [drag] = useState(() => new DragOver(setOver))
  const drop = (event: DragEvent): void => {
    if (drag.drop(event)) fromDrop(event.dataTransfer).then(onFiles, onProblem)
  }
  return (
    <div
      onDragEnter={(event) => drag.enter(event)}
      onDragLeave={(event) => drag.leave(event)}
      onDragOver={(event) => drag.allow(event)}
      onDrop={drop}
      className={`relative ${className ?? ''}`}
    >
      {children}
      {isOver && (
        <div className="pointer-events-none absolute -inset-2 z-10 grid place-items-center rounded-large border-2 border-dashed border-accent bg-page/85">
          <p className="flex items-center gap-2 font-medium text-accent-strong dark:text-accent">
            <Upload className="size-5" />
            {label}
          </p>
        </div>
      )}
    </div>
  )
}
