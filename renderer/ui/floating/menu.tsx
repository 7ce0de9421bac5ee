import { Check, ChevronDown, ChevronRight } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import { useState, type ReactElement, type ReactNode } from 'react'
import { classNames } from '../../lib/class-names.ts'
import { useMedia } from '../../lib/use-media.ts'
import { Kbd } from '../marks/kbd.tsx'
import { useOpen } from '../dialogs/use-open.ts'
import { SHEET } from './sheet.ts'

const PANEL =
  'z-50 max-h-(--radix-dropdown-menu-content-available-height) min-w-44 max-w-[calc(100vw-1rem)] animate-rise fades-below overflow-y-auto rounded-medium border border-line bg-raised p-1 text-ui text-ink shadow-high outline-none'

const LINE =
  'flex h-8 items-center gap-2.5 rounded-small px-2 outline-none select-none data-disabled:opacity-45 data-highlighted:bg-hover pointer-coarse:min-h-11 ' +
  'forced-colors:data-highlighted:outline [&>svg]:size-4 [&>svg]:shrink-0'

interface MenuProps {
  /** The button that opens the menu. */
  readonly trigger: ReactElement
  readonly children: ReactNode
  readonly align?: 'start' | 'end'
  readonly side?: 'top' | 'bottom'
  readonly open?: boolean
  readonly onOpenChange?: (open: boolean) => void
  /** Called before the focus returns to the button; the chosen item may have moved it elsewhere. */
  readonly onCloseAutoFocus?: (event: Event) => void
}

/** A menu opened by a button; on phones a sheet at the bottom edge. */
export function Menu(props: MenuProps) {
  const { trigger, children, align = 'end', side = 'bottom' } = props
  const [open, changeOpen] = useOpen(props)
  return (
    <DropdownMenu.Root open={open} onOpenChange={changeOpen} modal={false}>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      {open && (
        <DropdownMenu.Portal>
          <DropdownMenu.Content
            align={align}
            side={side}
            sideOffset={4}
            collisionPadding={8}
            className={`${PANEL} ${SHEET}`}
            onCloseAutoFocus={props.onCloseAutoFocus}
          >
            {children}
          </DropdownMenu.Content>
        </DropdownMenu.Portal>
      )}
    </DropdownMenu.Root>
  )
}

interface MenuItemProps {
  readonly icon?: ReactNode
  /** Explanation below the label. */
  readonly text?: string
  readonly accelerator?: string | null
  readonly danger?: boolean
  readonly disabled?: boolean
  readonly onSelect: () => void
  readonly children: ReactNode
}

/** One item of a menu. */
export function MenuItem({
  icon,
  text,
  accelerator,
  danger = false,
  disabled,
  onSelect,
  children,
}: MenuItemProps) {
  return (
    <DropdownMenu.Item
      disabled={disabled}
      onSelect={onSelect}
      className={classNames(
        LINE,
        danger ? 'text-danger' : '[&>svg]:text-muted',
        text !== undefined && 'h-auto! max-w-80 items-start py-1.5 [&>svg]:mt-0.5',
      )}
    >
      {icon}
      {text === undefined ? (
        <span className="min-w-0 flex-1 truncate">{children}</span>
      ) : (
        <span className="min-w-0 flex-1">
          <span className="block font-medium">{children}</span>
          <span className="block text-small text-pretty text-muted">{text}</span>
        </span>
      )}
      {accelerator && (
        <span aria-hidden="true" className="pointer-coarse:hidden">
          <Kbd accelerator={accelerator} />
        </span>
      )}
    </DropdownMenu.Item>
  )
}

interface SubMenuProps {
  readonly icon?: ReactNode
  readonly label: string
  readonly children: ReactNode
}

/** Media query of windows without space for a submenu beside the menu; its items expand below. */
const NO_ROOM = '(width < 40rem)'

function FoldedMenu({ icon, label, children }: SubMenuProps) {
  const [isOpen, setOpen] = useState(false)
  const handleSelect = (event: Event): void => {
    event.preventDefault()
    setOpen(!isOpen)
  }
  return (
    <>
      <DropdownMenu.Item
        aria-expanded={isOpen}
        onSelect={handleSelect}
        className={classNames(LINE, '[&>svg]:text-muted')}
      >
        {icon}
        <span className="min-w-0 flex-1 truncate">{label}</span>
        <ChevronDown className={classNames('size-4 text-muted', isOpen && 'rotate-180')} />
      </DropdownMenu.Item>
      {isOpen && (
        <DropdownMenu.Group className="ms-4 border-s border-line ps-1">
          {children}
        </DropdownMenu.Group>
      )}
    </>
  )
}

/** A menu item with a submenu. */
export function SubMenu(props: SubMenuProps) {
  const { icon, label, children } = props
  const hasNoRoom = useMedia(NO_ROOM)
  if (hasNoRoom) return <FoldedMenu {...props} />
  return (
    <DropdownMenu.Sub>
      <DropdownMenu.SubTrigger
        className={classNames(LINE, 'data-[state=open]:bg-hover [&>svg]:text-muted')}
      >
        {icon}
        <span className="min-w-0 flex-1 truncate">{label}</span>
        <ChevronRight className="size-4 text-muted rtl:-scale-x-100" />
      </DropdownMenu.SubTrigger>
      <DropdownMenu.Portal>
        <DropdownMenu.SubContent sideOffset={4} collisionPadding={8} className={PANEL}>
          {children}
        </DropdownMenu.SubContent>
      </DropdownMenu.Portal>
    </DropdownMenu.Sub>
  )
}

/** A menu item that is on or off. */
export function MenuCheck({
  checked,
  onChange,
  children,
}: {
  checked: boolean
  onChange: (checked: boolean) => void
  children: ReactNode
}) {
  return (
    <DropdownMenu.CheckboxItem checked={checked} onCheckedChange={onChange} className={LINE}>
      <span className="grid size-4 shrink-0 place-items-center text-accent">
        <DropdownMenu.ItemIndicator>
          <Check className="size-4" />
        </DropdownMenu.ItemIndicator>
      </span>
      <span className="min-w-0 flex-1 truncate">{children}</span>
    </DropdownMenu.CheckboxItem>
  )
}

/** A separator between groups of a menu. */
export const MenuSeparator = () => <DropdownMenu.Separator className="-mx-1 my-1 h-px bg-line" />
