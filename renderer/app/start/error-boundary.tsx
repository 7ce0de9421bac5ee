import { Component, type ErrorInfo, type ReactNode } from 'react'
import { translate } from '../../lib/i18n.ts'
import { Button } from '../../ui/controls/button.tsx'

interface Props {
  readonly children: ReactNode
  /** A changed value, for example another route, makes the boundary render the children again. */
  readonly resetKey?: string
}

interface State {
  readonly error: Error | null
  readonly resetKey: string | undefined
}

/**
 * Limits a render error to one part of the window. Drafts are kept per chat and are available after
 * a reload.
 */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { error: null, resetKey: this.props.resetKey }

  static getDerivedStateFromError(error: Error): Partial<State> {
    return { error }
  }

  static getDerivedStateFromProps(props: Props, state: State): Partial<State> | null {
    return props.resetKey === state.resetKey ? null : { error: null, resetKey: props.resetKey }
  }

  override componentDidCatch(error: Error, info: ErrorInfo): void {
    reportError(Object.assign(error, { componentStack: info.componentStack }))
  }

  override render(): ReactNode {
    if (!this.state.error) return this.props.children
    return (
      <div
        role="alert"
        className="flex h-full flex-col items-center justify-center gap-3 px-6 text-center"
      >
        <h1 className="text-head-1 font-semibold">{translate('common.faultTitle')}</h1>
        <p className="max-w-md text-ui text-muted">{translate('common.faultText')}</p>
        <details className="max-w-md text-small text-muted">
          <summary className="min-h-6">{translate('common.details')}</summary>
          <code className="wrap-anywhere">{this.state.error.message}</code>
        </details>
        <Button tone="primary" onClick={() => location.reload()}>
          {translate('common.reload')}
        </Button>
      </div>
    )
  }
}
