/** Rejects with a sentence that says what to install where the packages of gRPC are missing. */
export async function loadGrpcAdapter() {
  const { requireGrpc } = await import('./packages.ts');
  await requireGrpc();
  return import('./listen.ts');
}
