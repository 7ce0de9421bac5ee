import {
  ChevronsUpDown,
  Command,
  Keyboard,
  LogOut,
  Moon,
  Settings,
  Smartphone,
  Sun,
  UserPlus,
} from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import { isAdmin, signOut } from '../../features/auth/session-store.ts'
import { isDark } from '../../lib/appearance.ts'
import { runCommand } from '../../lib/commands.ts'
import { navigate, toPath } from '../../lib/router.ts'
import { Avatar } from '../../ui/marks/avatar.tsx'
import { Menu, MenuItem, MenuSeparator } from '../../ui/floating/menu.tsx'
import { toastError } from '../../ui/floating/toast.tsx'
import { preferencesStore, sessionStore } from '../stores.ts'

const leave = (): void => {
  signOut(sessionStore).catch(toastError)
}

const openUsers = (): void => navigate(toPath({ name: 'settings', page: 'users' }))

const openSharing = (): void => navigate(toPath({ name: 'settings', page: 'sharing' }))

/** The account menu: signed-in user, settings, theme, shortcuts and sign-out. */
export function UserMenu() {
  const { t } = useTranslation()
  const user = useStore(sessionStore, (state) => state.user)
  const theme = useStore(preferencesStore, (state) => state.appearance.theme)
  const administrates = useStore(sessionStore, isAdmin)
  const name = user?.name ?? ''
  return (
    <Menu
      align="start"
      side="top"
      trigger={
        <button
          type="button"
          aria-label={t('common.accountOf', { name })}
          className="flex h-11 min-w-0 flex-1 items-center gap-2.5 rounded-medium px-2 text-start transition-colors duration-(--motion-in) hover:bg-hover data-[state=open]:bg-pressed"
        >
          <Avatar
            key={user?.profile_image_url}
            size="medium"
            name={name}
            id={user?.id ?? ''}
            picture={user?.profile_image_url}
          />
          <bdi className="min-w-0 flex-1 truncate font-medium">{name}</bdi>
          <ChevronsUpDown className="size-3.5 shrink-0 text-muted" />
        </button>
      }
    >
      <MenuItem
        icon={<Settings />}
        accelerator="CmdOrCtrl+,"
        onSelect={() => runCommand('settings.open')}
      >
        {t('common.settings')}
      </MenuItem>
      {administrates && (
        <>
          <MenuItem icon={<UserPlus />} onSelect={openUsers}>
            {t('common.addPeople')}
          </MenuItem>
          <MenuItem icon={<Smartphone />} onSelect={openSharing}>
            {t('common.useOnPhone')}
          </MenuItem>
        </>
      )}
      <MenuItem
        icon={isDark(theme) ? <Sun /> : <Moon />}
        accelerator="CmdOrCtrl+Shift+L"
        onSelect={() => runCommand('theme.toggle')}
      >
        {isDark(theme) ? t('settings.appearance.toLight') : t('settings.appearance.toDark')}
      </MenuItem>
      <MenuItem
        icon={<Command />}
        accelerator="CmdOrCtrl+K"
        onSelect={() => runCommand('palette.open')}
      >
        {t('commands.palette')}
      </MenuItem>
      <MenuItem
        icon={<Keyboard />}
        accelerator="CmdOrCtrl+/"
        onSelect={() => runCommand('help.shortcuts')}
      >
        {t('commands.shortcuts')}
      </MenuItem>
      <MenuSeparator />
      <MenuItem icon={<LogOut />} onSelect={leave}>
        {t('auth.signOut')}
      </MenuItem>
    </Menu>
  )
}
