import { CopyButton } from '../../ui/controls/copy-button.tsx'

interface CodeBoxProps {
  /** Accessible name, also shown above. */
  readonly label: string
  readonly text: string
}

/** Machine-readable text, with a copy button. */
export function CodeBox({ label, text }: CodeBoxProps) {
  return (
    <figure className="min-w-0">
      <figcaption className="mb-1.5 flex items-center justify-between gap-3">
        <span className="font-medium">{label}</span>
        <CopyButton text={text} />
      </figcaption>
      <section
        aria-label={label}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling box must be reachable by keyboard
        tabIndex={0}
        dir="ltr"
        className="max-h-80 overflow-auto rounded-medium border border-line bg-sunken px-3 py-2.5 text-code"
      >
        <pre>
          <code translate="no">{text}</code>
        </pre>
      </section>
    </figure>
  )
}
