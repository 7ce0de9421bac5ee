import '../../../ui/code-output/strings.ts'
import { SquareTerminal } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import { classNames } from '../../../lib/class-names.ts'
import { navigate, toPath } from '../../../lib/router.ts'
import { Button } from '../../../ui/button.tsx'
import { Popover } from '../../../ui/popover.tsx'
import { Tooltip } from '../../../ui/tooltip.tsx'
import type { CodeRights } from '../chat-rights.ts'
import type { ChatModel, ChatStore } from '../chat-store.ts'
import { chooseFeature } from './choose-feature.ts'
import { CODE, presetOf } from './chosen-tools.ts'

const SHAPE =
  'inline-flex h-8 items-center justify-center gap-1.5 rounded-full px-2.5 text-ui hover:bg-hover pointer-coarse:min-h-11 pointer-coarse:min-w-11'

interface CodeSwitchProps {
  readonly store: ChatStore
  readonly model: ChatModel | null
  readonly rights: CodeRights
}

/**
 * Lets models run code for the next answers; an administrator finds here what is missing while that
 * cannot work.
 */
export function CodeSwitch({ store, model, rights }: CodeSwitchProps) {
  const { t } = useTranslation()
  const isOn = useStore(store, (state) =>
    (state.tools ?? presetOf(model)).featureIds.includes(CODE),
  )
  if (!rights.isOffered || model?.runsCode === false) return null
  if (!rights.isReady) return <SwitchedOff />
  return (
    <Tooltip text={t(isOn ? 'code.switch.on' : 'code.switch.off')} side="top">
      <button
        type="button"
        aria-pressed={isOn}
        aria-label={t('code.switch.label')}
        onClick={() => chooseFeature(store, model, CODE, !isOn)}
        className={classNames(
          SHAPE,
          isOn ? 'bg-accent-soft font-medium text-accent-strong dark:text-accent' : 'text-muted',
        )}
      >
        <SquareTerminal aria-hidden="true" className="size-4" />
        {isOn && <span className="max-sm:hidden">{t('code.switch.short')}</span>}
      </button>
    </Tooltip>
  )
}

const openSettings = (): void => navigate(toPath({ name: 'settings', page: 'code' }))

function SwitchedOff() {
  const { t } = useTranslation()
  return (
    <Popover
      side="top"
      label={t('code.switch.label')}
      className="w-72 p-3.5"
      trigger={
        <button
          type="button"
          aria-label={t('code.switch.label')}
          className={classNames(SHAPE, 'text-muted')}
        >
          <SquareTerminal aria-hidden="true" className="size-4" />
        </button>
      }
    >
      <h2 className="font-semibold">{t('code.switch.label')}</h2>
      <p className="mt-1 text-small text-muted">{t('code.switch.setUp')}</p>
      <Button className="mt-3" onClick={openSettings}>
        {t('code.switch.openSettings')}
      </Button>
    </Popover>
  )
}
