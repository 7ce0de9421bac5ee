import '../../lib/strings/first-run.ts'
import { ArrowDownUp, HardDrive, Layers, Terminal } from 'lucide-react'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { classNames } from '../../lib/class-names.ts'
import { isTaught } from '../../lib/accelerator.ts'
import { Button } from '../../ui/controls/button.tsx'
import { Kbd } from '../../ui/marks/kbd.tsx'
import { Logo } from '../../ui/marks/logo.tsx'
import { gatewayAddress } from '../../lib/base-path.ts'
import { isAtGateway } from '../../lib/is-at-gateway.ts'

interface ConnectPart {
  /** Renders the step; `next` continues. */
  readonly render: (next: () => void) => ReactNode
  /** True if a model is connected, so that the button of the guide leads on. */
  readonly isReady: boolean
  /** Called when the user goes on with what is connected. */
  readonly onContinue: () => void
}

interface FirstRunProps {
  readonly userName: string
  /** True if chats are stored on this computer (desktop) rather than on a server. */
  readonly local: boolean
  /** The step that connects a model; null for users without the permission. */
  readonly connect: ConnectPart | null
  readonly appearance: ReactNode
  readonly language: ReactNode
  readonly onDone: () => void
}

interface Step {
  readonly title: string
  readonly text: string
  readonly body: ReactNode
  /** True if the primary button of the page is in the body. */
  readonly isDoneInBody?: boolean
  /** Continues; the next page is shown if absent. */
  readonly onNext?: () => void
}

function Fact({ icon, title, children }: { icon: ReactNode; title: string; children: ReactNode }) {
  return (
    <li className="flex gap-4">
      <span className="grid size-9 shrink-0 place-items-center rounded-medium bg-accent-soft text-accent-strong dark:text-accent [&_svg]:size-4.5">
        {icon}
      </span>
      <div className="min-w-0">
        <p className="font-medium">{title}</p>
        <p className="text-pretty text-muted">{children}</p>
      </div>
    </li>
  )
}

function Welcome({ local }: { local: boolean }) {
  const { t } = useTranslation()
  return (
    <ul className="flex flex-col gap-5">
      <Fact icon={<HardDrive />} title={t('firstRun.dataTitle')}>
        {local && isAtGateway() ? t('firstRun.dataLocal') : t('firstRun.dataServer')}
      </Fact>
      <Fact icon={<Layers />} title={t('firstRun.modelsTitle')}>
        {t('firstRun.modelsText')}
      </Fact>
      <Fact icon={<ArrowDownUp />} title={t('firstRun.moveInTitle')}>
        {t('firstRun.moveInText')}
      </Fact>
      <Fact icon={<Terminal />} title={t('firstRun.scriptsTitle')}>
        {t('firstRun.scriptsText', { address: gatewayAddress() })}
      </Fact>
    </ul>
  )
}

function Shortcuts() {
  const { t } = useTranslation()
  const rows = [
    ['CmdOrCtrl+K', t('firstRun.keyPalette')],
    ['CmdOrCtrl+N', t('firstRun.keyNew')],
    ['CmdOrCtrl+/', t('firstRun.keyAll')],
  ] as const
  return (
    <ul className="flex flex-col gap-2 pointer-coarse:hidden">
      {rows
        .filter(([accelerator]) => isTaught(accelerator))
        .map(([accelerator, text]) => (
          <li key={accelerator} className="flex items-center justify-between gap-4 text-muted">
            {text}
            <Kbd accelerator={accelerator} />
          </li>
        ))}
    </ul>
  )
}

function Progress({ count, index }: { count: number; index: number }) {
  const { t } = useTranslation()
  return (
    <p className="flex items-center gap-1.5">
      <span className="sr-only">{t('firstRun.progress', { step: index + 1, count })}</span>
      {Array.from({ length: count }, (_, step) => (
        <span
          key={step}
          aria-hidden="true"
          className={classNames(
            'h-1.5 rounded-full transition-all duration-(--motion-in)',
            step === index ? 'w-6 bg-accent' : 'w-1.5 bg-edge',
          )}
        />
      ))}
    </p>
  )
}

function useSteps(
  { userName, local, connect, appearance }: Omit<FirstRunProps, 'onDone' | 'language'>,
  next: () => void,
): readonly Step[] {
  const { t } = useTranslation()
  return [
    {
      title: t('firstRun.welcomeTitle', { name: userName }),
      text: t('firstRun.welcomeText'),
      body: <Welcome local={local} />,
    },
    ...(connect
      ? [
          {
            title: t('firstRun.connectTitle'),
            text: t(connect.isReady ? 'firstRun.connectedText' : 'firstRun.connectText'),
            body: connect.render(next),
            isDoneInBody: !connect.isReady,
            onNext: () => {
              if (connect.isReady) connect.onContinue()
              next()
            },
          },
        ]
      : []),
    {
      title: t('firstRun.looksTitle'),
      text: t('firstRun.looksText'),
      body: (
        <div className="flex flex-col gap-6">
          {appearance}
          <Shortcuts />
        </div>
      ),
    },
  ]
}

interface WaysOnProps {
  readonly isLast: boolean
  readonly isDoneInBody: boolean
  /** Skips the guide; null beyond the first page, so that only one way on skips something. */
  readonly onSkipAll: (() => void) | null
  /** Goes back; null on the first page. */
  readonly onBack: (() => void) | null
  readonly onNext: () => void
}

/** Navigation bar at the bottom edge, visible regardless of the page's length. */
function WaysOn({ isLast, isDoneInBody, onSkipAll, onBack, onNext }: WaysOnProps) {
  const { t } = useTranslation()
  return (
    <div className="shrink-0 border-t border-line bg-raised px-4 pt-3 pb-[max(0.75rem,env(safe-area-inset-bottom))]">
      <div className="mx-auto flex max-w-xl items-center gap-2">
        {onSkipAll && (
          <Button tone="quiet" onClick={onSkipAll} className="text-muted">
            {t('firstRun.skipAll')}
          </Button>
        )}
        <span className="flex-1 max-sm:hidden" />
        {onBack && (
          <Button tone="quiet" onClick={onBack}>
            {t('common.back')}
          </Button>
        )}
        <Button
          tone={isDoneInBody ? 'secondary' : 'primary'}
          className="max-sm:min-h-11 max-sm:flex-1"
          onClick={onNext}
        >
          {isLast ? t('firstRun.start') : t(isDoneInBody ? 'firstRun.skip' : 'common.next')}
        </Button>
      </div>
    </div>
  )
}

/**
 * A few short steps before the first chat, which can be skipped at the beginning.
 * On phones a step takes the whole width.
 */
export function FirstRun({ onDone, language, ...content }: FirstRunProps) {
  const [index, setIndex] = useState(0)
  const heading = useRef<HTMLHeadingElement>(null)
  const next = (): void => setIndex((now) => now + 1)
  const steps = useSteps(content, next)
  const step = steps[Math.min(index, steps.length - 1)]
  const last = index >= steps.length - 1
  useEffect(() => heading.current?.focus(), [index])
  if (!step) return null
  return (
    <main className="flex h-full flex-col bg-raised sm:bg-sidebar">
      <div className="flex min-h-0 flex-1 scroll-pb-4 flex-col overflow-y-auto px-4 py-4 sm:py-8">
        <div className="w-full max-w-xl sm:mx-auto sm:pt-[6vh]">
          <div className="mb-6 flex items-center gap-3 sm:gap-4">
            <Logo className="size-9" />
            <span className="flex min-w-0 flex-1 justify-end">{language}</span>
            <Progress count={steps.length} index={index} />
          </div>
          <div
            key={index}
            className="animate-appear bg-raised sm:min-h-90 sm:rounded-large sm:border sm:border-line sm:p-8 sm:shadow-low"
          >
            <h1
              ref={heading}
              tabIndex={-1}
              className="text-head-2 font-semibold tracking-[-0.01em] text-balance outline-none"
            >
              {step.title}
            </h1>
            <p className="mt-1 mb-6 text-pretty text-muted">{step.text}</p>
            {step.body}
          </div>
        </div>
      </div>
      <WaysOn
        isLast={last}
        isDoneInBody={step.isDoneInBody ?? false}
        onSkipAll={index === 0 && !last ? onDone : null}
        onBack={index > 0 ? () => setIndex(index - 1) : null}
        onNext={last ? onDone : (step.onNext ?? next)}
      />
    </main>
  )
}
