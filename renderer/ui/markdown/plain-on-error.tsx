import { Component, type ReactNode } from 'react'

/** Verbatim text. */
export const PlainText = ({ text }: { text: string }) => (
  <p className="whitespace-pre-wrap">{text}</p>
)

interface PlainOnErrorProps {
  readonly text: string
  readonly children: ReactNode
}

interface PlainOnErrorState {
  readonly hasFailed: boolean
  readonly text: string
}

/**
 * Shows a text verbatim if the parser fails on it; other messages are unaffected. A longer text is
 * parsed again.
 */
export class PlainOnError extends Component<PlainOnErrorProps, PlainOnErrorState> {
  override state: PlainOnErrorState = { hasFailed: false, text: this.props.text }

  static getDerivedStateFromError(): Partial<PlainOnErrorState> {
    return { hasFailed: true }
  }

  static getDerivedStateFromProps(
    props: PlainOnErrorProps,
    state: PlainOnErrorState,
  ): PlainOnErrorState | null {
    return props.text === state.text ? null : { hasFailed: false, text: props.text }
  }

  override render(): ReactNode {
    return this.state.hasFailed ? <PlainText text={this.props.text} /> : this.props.children
  }
}
