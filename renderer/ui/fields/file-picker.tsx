import { type ReactNode, useRef } from 'react'

interface FilePicker {
  /** Hidden input element. */
  readonly input: ReactNode
  readonly open: () => void
}

/** Lets the user pick a file with a button or menu item; JSON by default. */
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
          // Reset so that the same file can be picked again.
          event.target.value = ''
          if (file) void onFile(file)
        }}
      />
    ),
    open: () => input.current?.click(),
  }
}
