import { useCallback, useEffect, useState } from 'react';
import { addFiles } from './attachments.ts';

/** The files for the next message: dropped anywhere on the page, or added. */
export function useDroppedFiles() {
  const [state, setState] = useState<{ readonly files: readonly File[]; readonly problem?: string }>({ files: [] });
  const [isOver, setOver] = useState(false);
  const add = useCallback((added: readonly File[]) => setState(({ files }) => addFiles(files, added)), []);
  const remove = useCallback(
    (file: File) => setState(({ files }) => ({ files: files.filter((other) => other !== file) })),
    [],
  );
  const clear = useCallback(() => setState({ files: [] }), []);
  useEffect(() => {
    const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') === true;
    const onOver = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setOver(true);
    };
    const onLeave = (event: DragEvent) => {
      if (event.relatedTarget === null) setOver(false);
    };
    const onDrop = (event: DragEvent) => {
      setOver(false);
      if (!hasFiles(event)) return;
      event.preventDefault();
      add([...(event.dataTransfer?.files ?? [])]);
    };
    addEventListener('dragover', onOver);
    addEventListener('dragleave', onLeave);
    addEventListener('drop', onDrop);
    return () => {
      removeEventListener('dragover', onOver);
      removeEventListener('dragleave', onLeave);
      removeEventListener('drop', onDrop);
    };
  }, [add]);
  return { files: state.files, problem: state.problem, isOver, add, remove, clear };
}
