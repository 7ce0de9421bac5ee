import { type ChangeEvent, type RefObject, useEffect } from 'react'
import { type FoundFile, fromInput } from '../lib/found-files.ts'

interface FolderInputProps {
  readonly input: RefObject<HTMLInputElement | null>
  readonly onFiles: (files: readonly FoundFile[]) => void
  readonly testId: string
}

/** The system's dialog for a whole folder; a button of the same purpose clicks it. */
export function FolderInput({ input, onFiles, testId }: FolderInputProps) {
  // React has no name for it.
  useEffect(() => input.current?.setAttribute('webkitdirectory', ''), [input])
  const read = (event: ChangeEvent<HTMLInputElement>): void => {
    const files = fromInput(event.target.files ?? [])
    event.target.value = ''
    onFiles(files)
  }
  return <input ref={input} type="file" hidden onChange={read} data-testid={testId} />
}
