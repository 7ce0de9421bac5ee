import { Ellipsis } from 'lucide-react'
import { type ReactElement, type SyntheticEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { Menu, MenuItem } from '../../ui/floating/menu.tsx'
import type { ModelMarks } from './model-marks.ts'

interface MarkMenuProps {
  readonly id: string
  readonly isPinned: boolean
  /** True if it is the user's own default. */
  readonly isDefault: boolean
  readonly marks: ModelMarks
  readonly onCloseAutoFocus?: (event: Event) => void
}

/** Menu that pins a model and makes it the default of new chats. */
export function MarkMenu({
  id,
  isPinned,
  isDefault,
  marks,
  onCloseAutoFocus,
  trigger,
}: MarkMenuProps & { readonly trigger: ReactElement }) {
  const { t } = useTranslation()
  return (
    <Menu trigger={trigger} {...(onCloseAutoFocus && { onCloseAutoFocus })}>
      <MenuItem accelerator="Alt+D" onSelect={() => marks.toggleDefault(id)}>
        {t(isDefault ? 'models.unsetDefault' : 'models.setDefault')}
      </MenuItem>
      <MenuItem accelerator="Alt+P" onSelect={() => marks.togglePin(id)}>
        {t(isPinned ? 'models.unpinForMe' : 'models.pinForMe')}
      </MenuItem>
    </Menu>
  )
}

const stop = (event: SyntheticEvent): void => event.stopPropagation()

/**
 * The menu at the end of a row, for pointers.
 *
 * @NOTE An option of a list cannot contain accessible buttons, so this one is hidden from screen
 *   readers and the tab order; the picker has a button with the same menu below its list.
 */
export function RowMenu({ name, ...props }: MarkMenuProps & { readonly name: string }) {
  const { t } = useTranslation()
  return (
    // The row and the list would take clicks and keys of the menu for their own.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions -- see above
    <span className="contents" onClick={stop} onKeyDown={stop}>
      <MarkMenu
        {...props}
        trigger={
          <span
            aria-hidden="true"
            title={t('models.actionsOf', { name })}
            className="grid size-7 shrink-0 place-items-center self-center rounded-small text-muted opacity-0 group-hover/model:opacity-100 group-data-[selected=true]/model:opacity-100 hover:bg-pressed hover:text-ink data-[state=open]:bg-pressed data-[state=open]:opacity-100 pointer-coarse:size-11 pointer-coarse:opacity-100"
          >
            <Ellipsis className="size-4" />
          </span>
        }
      />
    </span>
  )
}
