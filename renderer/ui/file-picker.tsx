import { type ReactNode, useRef } from 'react'

interface FilePicker {
  /** Stands hidden on the page. */
  readonly input: ReactNode
  readonly open: () => void
}

/** Lets a file be picked by a button or a line of a menu; of JSON unless told otherwise. */
export function useFilePicker(
  onFile: (file: File) => Promise<void>,
  accept = 'application/json,.json',
): FilePicker {
  const input = useRef<HTMLInputElement>(null)
  return {
    input: (
      <input
        ref={input}
        type="file"
        accept={accept}
        hidden
        onChange={(event) => {
          const file = event.target.files?.[0]
          // The same file can be picked again.
          event.target.value = ''
          if (file) void onFile(file)
        }}
      />
    ),
    open: () => input.current?.click(),
  }
}
