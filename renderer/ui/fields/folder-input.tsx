import { type ChangeEvent, type RefObject, useEffect } from 'react'
import { type FoundFile, fromInput } from '../../lib/found-files.ts'

interface FolderInputProps {
  readonly input: RefObject<HTMLInputElement | null>
  readonly onFiles: (files: readonly FoundFile[]) => void
  readonly testId: string
}

/** Input for the system's folder dialog; a separate button triggers it. */
export function FolderInput({ input, onFiles, testId }: FolderInputProps) {
  // React has no property for it.
  useEffect(() => input.current?.setAttribute('webkitdirectory', ''), [input])
  const read = (event: ChangeEvent<HTMLInputElement>): void => {
    const files = fromInput(event.target.files ?? [])
    event.target.value = ''
    onFiles(files)
  }
  return <input ref={input} type="file" hidden onChange={read} data-testid={testId} />
}
