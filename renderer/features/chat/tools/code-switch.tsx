import '../../../ui/code-output/strings.ts'
import { SquareTerminal } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { CodeRights } from '../chat-rights.ts'
import type { ChatModel, ChatStore } from '../chat-store.ts'
import { CODE } from './chosen-tools.ts'
import { FeatureSwitch, MissingFeature } from './feature-switch.tsx'

interface CodeSwitchProps {
  readonly store: ChatStore
  readonly model: ChatModel | null
  readonly rights: CodeRights
}

const LOOK = { icon: <SquareTerminal />, texts: 'code.switch' } as const

/**
 * Lets models run code for the next answers; tells administrators what is missing while that is
 * unavailable.
 */
export function CodeSwitch({ store, model, rights }: CodeSwitchProps) {
  const { t } = useTranslation()
  if (!rights.isOffered || model?.runsCode === false) return null
  if (!rights.isReady) return <MissingFeature {...LOOK} text={t('code.switch.setUp')} page="code" />
  return <FeatureSwitch {...LOOK} store={store} model={model} feature={CODE} />
}
