/** The name of the binding on cards (reference: v1-agent-card §3). */
export const GRPC = 'GRPC';
