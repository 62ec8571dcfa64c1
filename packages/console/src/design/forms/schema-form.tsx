import Form from '@rjsf/core/lib/components/Form.js';
import type { RJSFSchema, UiSchema } from '@rjsf/utils';
import { useId, useMemo, useState } from 'react';
import { Button } from '../components/index.ts';
import { LIST_BUTTONS } from './list-buttons.tsx';
import styles from './schema-form.module.css';
import { schemaValidator } from './schema-validator.ts';

export interface SchemaFormProps {
  readonly schema: object;
  readonly submitLabel: string;
  readonly initial?: unknown;
  readonly isBusy?: boolean | undefined;
  readonly onSubmit: (value: unknown) => void;
}

const TEMPLATES = { ButtonTemplates: LIST_BUTTONS };
const UI: UiSchema = { 'ui:submitButtonOptions': { norender: true } };

/** A form made from a JSON Schema. Load it lazily: what makes it is large. */
export default function SchemaForm({ schema, submitLabel, initial, isBusy, onSubmit }: SchemaFormProps) {
  const [data, setData] = useState<unknown>(initial);
  const prefix = useId();
  const usable = useMemo(() => formSchema(schema), [schema]);
  return (
    <Form
      className={styles.form}
      idPrefix={prefix}
      schema={usable}
      uiSchema={UI}
      templates={TEMPLATES}
      validator={schemaValidator}
      formData={data}
      disabled={isBusy ?? false}
      showErrorList={false}
      noHtml5Validate
      onChange={(event) => setData(event.formData as unknown)}
      onSubmit={(event) => onSubmit(event.formData as unknown)}
      onError={() => {}}
    >
      <Button kind="primary" type="submit" wraps disabled={isBusy}>
        {submitLabel}
      </Button>
    </Form>
  );
}

/** The dialect and id of a schema would be looked up elsewhere; nothing is fetched for a form. */
function formSchema(schema: object): RJSFSchema {
  const { $schema: _, $id: __, ...rest } = schema as Record<string, unknown>;
  return rest as RJSFSchema;
}
