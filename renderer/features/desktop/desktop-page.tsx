import '../../lib/desktop-strings.ts'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import type { ShellSettings } from '#desktop'
import { FormProblem } from '../../ui/dialogs/form-problem.tsx'
import { PageSection } from '../../ui/layout/page-section.tsx'
import { Switch } from '../../ui/controls/switch.tsx'
import { changeShell, shellSettingsStore } from './shell-settings.ts'
import { ShortcutField } from './shortcut-field.tsx'
import { UpdatesSection } from './updates-section.tsx'

function QuickAskSection({ settings }: { settings: ShellSettings }) {
  const { t } = useTranslation()
  return (
    <PageSection title={t('desktopApp.quickAsk.title')} text={t('desktopApp.quickAsk.text')}>
      <div className="flex flex-col gap-5">
        <ShortcutField
          value={settings.quickAskShortcut}
          state={settings.quickAskShortcutState}
          onChange={(quickAskShortcut) => void changeShell({ quickAskShortcut })}
        />
        <Switch
          label={t('desktopApp.quickAsk.onTop')}
          hint={t('desktopApp.quickAsk.onTopHint')}
          checked={settings.quickAskStaysOnTop}
          onChange={(quickAskStaysOnTop) => void changeShell({ quickAskStaysOnTop })}
        />
      </div>
    </PageSection>
  )
}

function BackgroundSection({ settings }: { settings: ShellSettings }) {
  const { t } = useTranslation()
  return (
    <PageSection title={t('desktopApp.background.title')}>
      <div className="flex flex-col gap-5">
        <Switch
          label={t('desktopApp.background.staysInTray')}
          hint={t('desktopApp.background.staysInTrayHint')}
          checked={settings.staysInTray}
          onChange={(staysInTray) => void changeShell({ staysInTray })}
        />
        <Switch
          label={t('desktopApp.background.startsAtLogin')}
          hint={t(
            `desktopApp.background.${settings.offersLogin ? 'startsAtLoginHint' : 'noLogin'}`,
          )}
          checked={settings.startsAtLogin}
          disabled={!settings.offersLogin}
          onChange={(startsAtLogin) => void changeShell({ startsAtLogin })}
        />
        <Switch
          label={t('desktopApp.background.pause')}
          hint={t('desktopApp.background.pauseHint')}
          checked={settings.isPaused}
          onChange={(isPaused) => void changeShell({ isPaused })}
        />
      </div>
    </PageSection>
  )
}

function WritingSection({ settings }: { settings: ShellSettings }) {
  const { t } = useTranslation()
  const hint = settings.downloadsWordList ? 'downloads' : 'checksSpellingHint'
  return (
    <PageSection title={t('desktopApp.writing.title')}>
      <Switch
        label={t('desktopApp.writing.checksSpelling')}
        hint={t(`desktopApp.writing.${hint}`)}
        checked={settings.checksSpelling}
        onChange={(checksSpelling) => void changeShell({ checksSpelling })}
      />
    </PageSection>
  )
}

/** Settings of the desktop app itself; stored on this computer, not in the account. */
export function DesktopPage() {
  const { settings, problem } = useStore(shellSettingsStore)
  useEffect(() => void changeShell(), [])
  return (
    <>
      <FormProblem text={problem} />
      {settings && <QuickAskSection settings={settings} />}
      {settings && <BackgroundSection settings={settings} />}
      {settings && <WritingSection settings={settings} />}
      {settings && <UpdatesSection mode={settings.updates} />}
    </>
  )
}
