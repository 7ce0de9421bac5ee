import '../../../ui/code-output/strings.ts'
import { SquareTerminal } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import { navigate, toPath } from '../../../lib/router.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { Popover } from '../../../ui/floating/popover.tsx'
import { Tooltip } from '../../../ui/floating/tooltip.tsx'
import type { CodeRights } from '../chat-rights.ts'
import type { ChatModel, ChatStore } from '../chat-store.ts'
import { chooseFeature } from './choose-feature.ts'
import { CODE, presetOf } from './chosen-tools.ts'
import { FeatureButton } from '../../../ui/controls/feature-button.tsx'

interface CodeSwitchProps {
  readonly store: ChatStore
  readonly model: ChatModel | null
  readonly rights: CodeRights
}

/**
 * Lets models run code for the next answers; tells administrators what is missing while that is
 * unavailable.
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
      <FeatureButton
        aria-pressed={isOn}
        icon={<SquareTerminal />}
        label={t('code.switch.label')}
        short={t('code.switch.short')}
        isOn={isOn}
        onClick={() => chooseFeature(store, model, CODE, !isOn)}
      />
    </Tooltip>
  )
}

const openSettings = (): void => navigate(toPath({ name: 'settings', page: 'code' }))

function SwitchedOff() {
  const { t } = useTranslation()
  return (
    <Popover
      isSheet
      side="top"
      label={t('code.switch.label')}
      className="w-72 p-3.5"
      trigger={
        <FeatureButton
          icon={<SquareTerminal />}
          label={t('code.switch.label')}
          short={t('code.switch.short')}
        />
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
