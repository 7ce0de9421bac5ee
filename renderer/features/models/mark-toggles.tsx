import { Pin, PinOff, SquarePen } from 'lucide-react'
import type { MouseEvent, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { classNames } from '../../lib/class-names.ts'
import type { ModelMarks } from './model-marks.ts'

interface ToggleProps {
  readonly title: string
  readonly isOn: boolean
  readonly onToggle: () => void
  readonly children: ReactNode
}

/**
 * @NOTE An option of a list cannot contain accessible buttons, so these are for pointers only;
 *   keyboard shortcuts of the list do the same and are listed in its footer.
 */
function Toggle({ title, isOn, onToggle, children }: ToggleProps) {
  const handleClick = (event: MouseEvent): void => {
    event.stopPropagation()
    onToggle()
  }
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions -- see above
    <span
      aria-hidden="true"
      title={title}
      onClick={handleClick}
      className={classNames(
        'grid size-7 place-items-center rounded-small hover:bg-pressed pointer-coarse:size-11 [&_svg]:size-3.5',
        isOn
          ? 'text-accent'
          : 'text-muted opacity-0 group-hover/model:opacity-100 group-data-[selected=true]/model:opacity-100 pointer-coarse:opacity-100',
      )}
    >
      {children}
    </span>
  )
}

interface MarkTogglesProps {
  readonly id: string
  readonly isPinned: boolean
  readonly isDefault: boolean
  readonly marks: ModelMarks
}

/** Buttons that pin a model and make it the default of new chats. */
export function MarkToggles({ id, isPinned, isDefault, marks }: MarkTogglesProps) {
  const { t } = useTranslation()
  return (
    <span className="flex shrink-0">
      <Toggle
        title={t(isDefault ? 'models.unsetDefault' : 'models.setDefault')}
        isOn={isDefault}
        onToggle={() => marks.toggleDefault(id)}
      >
        <SquarePen />
      </Toggle>
      <Toggle
        title={t(isPinned ? 'models.unpinForMe' : 'models.pinForMe')}
        isOn={isPinned}
        onToggle={() => marks.togglePin(id)}
      >
        {isPinned ? <PinOff /> : <Pin />}
      </Toggle>
    </span>
  )
}
