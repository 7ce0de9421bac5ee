import '../../lib/strings/setting-pages.ts'
import { RotateCcw } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Setting, SettingValue } from '#contract/settings.ts'
import { FoldOut } from '../layout/fold-out.tsx'
import { FormProblem } from '../dialogs/form-problem.tsx'
import { IconButton } from '../controls/icon-button.tsx'
import { SwitchControl } from '../controls/switch.tsx'
import { OriginBadge } from './origin-badge.tsx'
import { SettingEditor } from './setting-editor.tsx'
import { helpOf } from './setting-help.ts'
import { nameChoice, toText } from './setting-value.ts'

const LONGEST_DEFAULT = 60

/** True if the default fits on one line. */
const isShort = ({ secret, type, default: fallback }: Setting): boolean =>
  !secret && type !== 'json' && type !== 'boolean' && toText(fallback).length <= LONGEST_DEFAULT

/** Returns the default in the words of its choice, if it is one. */
const nameDefault = (setting: Setting): string =>
  setting.type === 'string' && setting.allowed
    ? nameChoice(setting, toText(setting.default))
    : toText(setting.default)

interface SettingRowProps {
  readonly setting: Setting
  /** Display name, if different from its key. */
  readonly label?: string
  /** True if its key is in sight, for example because it was searched for. */
  readonly showsKey?: boolean
  readonly onSave: (value: SettingValue) => Promise<void>
}

/** Reason a setting cannot be changed here, and the condition that would allow it. */
function WhyLocked({ unless }: { unless: string | undefined }) {
  const { t } = useTranslation()
  if (unless === undefined)
    return <p className="text-small text-muted">{t('settingPages.gateway.locked')}</p>
  return (
    <div className="text-small text-muted">
      <p>{t('settingPages.gateway.lockedUnless')}</p>
      <FoldOut title={t('common.details')}>
        <p className="wrap-anywhere">
          {t('settingPages.gateway.lockedHow')} <code translate="no">{`${unless}=true`}</code>
        </p>
      </FoldOut>
    </div>
  )
}

/** Key of a setting and origin of its value; behind a line of text where a name says more. */
function KeyLine({ setting, isShown }: { setting: Setting; isShown: boolean }) {
  const { t } = useTranslation()
  const { key, origin } = setting
  const code = (
    <code className="min-w-0 text-small wrap-anywhere text-muted" translate="no">
      {key}
    </code>
  )
  const badge = (
    <>
      <OriginBadge setting={setting} />
      {origin === 'stored' && !setting.locked && (
        <span className="text-small text-muted">{t('settingPages.gateway.inEffect')}</span>
      )}
    </>
  )
  if (isShown)
    return (
      <p className="mt-1 flex flex-wrap items-center gap-x-2 gap-y-1">
        {code}
        {badge}
      </p>
    )
  return (
    <div className="flex flex-wrap items-start gap-x-2">
      <FoldOut title={<span className="text-small">{t('common.details')}</span>}>
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
          {code}
          {origin === 'default' && badge}
        </p>
      </FoldOut>
      {origin !== 'default' && (
        <span className="flex min-h-control flex-wrap items-center gap-x-2 pointer-coarse:min-h-11">
          {badge}
        </span>
      )}
    </div>
  )
}

/** One setting: the origin of its value, a reset to the default, and its input or switch. */
export function SettingRow({ setting, label, showsKey = false, onSave }: SettingRowProps) {
  const { t } = useTranslation()
  const [problem, setProblem] = useState<string | null>(null)
  const name = label ?? setting.key
  /** Resolves with true if it was saved. */
  const save = async (value: SettingValue): Promise<boolean> => {
    setProblem(null)
    try {
      await onSave(value)
      return true
    } catch (thrown) {
      setProblem(thrown instanceof Error ? thrown.message : String(thrown))
      return false
    }
  }
  return (
    <li className="flex flex-col gap-2 px-4 py-3.5">
      <div className="flex items-start gap-2">
        <div className="min-w-0 flex-1">
          {label ? (
            <p className="font-medium">{label}</p>
          ) : (
            <p className="text-pretty wrap-anywhere">{helpOf(setting)}</p>
          )}
          {label && (
            <p className="text-small text-pretty wrap-anywhere text-muted">{helpOf(setting)}</p>
          )}
          <KeyLine setting={setting} isShown={showsKey || label === undefined} />
        </div>
        {setting.origin === 'stored' && !setting.locked && (
          <IconButton
            size="small"
            label={t('settingPages.gateway.reset', { key: name })}
            icon={<RotateCcw />}
            onClick={() => void save(null)}
          />
        )}
        {setting.type === 'boolean' && (
          <SwitchControl
            aria-label={name}
            checked={setting.value === true}
            disabled={setting.locked}
            onChange={(value) => void save(value)}
          />
        )}
      </div>
      {setting.type !== 'boolean' && (
        <SettingEditor setting={setting} label={label} onSave={save} />
      )}
      {setting.origin !== 'default' && isShort(setting) && (
        <p className="text-small wrap-anywhere text-muted">
          {t('settingPages.gateway.defaultIs', {
            value: nameDefault(setting) || t('settingPages.configuration.empty'),
          })}
        </p>
      )}
      {setting.locked && <WhyLocked unless={setting.locked_unless} />}
      <FormProblem text={problem} />
    </li>
  )
}
