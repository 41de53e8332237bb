throw new RangeError('the first line of this worker throws')
