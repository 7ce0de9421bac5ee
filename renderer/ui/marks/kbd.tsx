import { acceleratorKeys, isTaught } from '../../lib/accelerator.ts'
import { classNames } from '../../lib/class-names.ts'

/** The keys of a shortcut, one box each; nothing for shortcuts that do not reach the window. */
export function Kbd({ accelerator, inverse = false }: { accelerator: string; inverse?: boolean }) {
  if (!isTaught(accelerator)) return null
  return (
    <span className="inline-flex shrink-0 items-center gap-0.5" dir="ltr">
      {acceleratorKeys(accelerator).map((key) => (
        <kbd
          key={key}
          className={classNames(
            'min-w-5 rounded-small px-1 text-center font-sans text-tiny',
            inverse ? 'bg-page/15 text-page' : 'border border-line bg-hover text-muted',
          )}
        >
          {key}
        </kbd>
      ))}
    </span>
  )
}
