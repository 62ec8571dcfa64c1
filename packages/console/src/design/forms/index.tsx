import { lazy, Suspense } from 'react';
import { Loading } from '../components/index.ts';
import type { SchemaFormProps } from './schema-form.tsx';

const LoadedForm = lazy(() => import('./schema-form.tsx'));

/** A form made from a JSON Schema, loaded when the first one is shown. */
export function SchemaForm(props: SchemaFormProps) {
  return (
    <Suspense fallback={<Loading what="the form" />}>
      <LoadedForm {...props} />
    </Suspense>
  );
}
